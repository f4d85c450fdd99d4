import Tidings

extension ConformanceCheck {
    package static let whatWaitsWaitsWithoutBound = ConformanceCheck(
        .nothingLost, "the queue of an asynchronous observer has no limit, and every notification arrives"
    ) { trial, center in
        let actor = HeldActor()
        let token = actor.observe(in: center)
        let notes = center.notifications(of: Ping.self)
        for number in 0..<10_000 { center.post(Ping(number: number)) }
        trial.expect(actor.journal.count, is: 0, "calls of a blocked actor")
        actor.executor.release()
        await trial.eventually("the actor received all notifications", { actor.journal.count }, reaches: 10_000)
        trial.expect(actor.journal.entries == Array(0..<10_000), "the actor did not receive exactly what was posted")
        trial.expect(token.droppedCount, is: 0, "notifications dropped without a policy")
        let read = await trial.read(10_000, from: notes, "the sequence received all notifications")
        trial.expect(
            read.map(\.number) == Array(0..<10_000), "the sequence did not receive exactly what was posted")
        token.cancel()
    }

    package static let aPolicyCountsWhatItDrops = ConformanceCheck(
        .nothingLost, "the buffering policies `oldest` and `latest` count the notifications that they drop"
    ) { trial, center in
        for (policy, kept) in [
            (BufferingPolicy.oldest(3), [1, 2, 3]), (.latest(3), [8, 9, 10]), (.latest(0), []), (.oldest(0), []),
        ] {
            let actor = HeldActor()
            let token = actor.observe(in: center, buffering: policy)
            let notes = center.notifications(of: Ping.self, buffering: policy)
            for number in 1...10 { center.post(Ping(number: number)) }
            actor.executor.release()
            await trial.eventually("the actor received the kept notifications") {
                actor.journal.count >= kept.count
            }
            trial.expect(actor.journal.entries, is: kept, "notifications received by the actor with \(policy)")
            trial.expect(token.droppedCount, is: 10 - kept.count, "notifications dropped for the actor with \(policy)")
            let read = await trial.read(kept.count, from: notes, "the sequence received the kept notifications")
            trial.expect(read.map(\.number), is: kept, "notifications received by the sequence with \(policy)")
            trial.expect(
                notes.droppedCount, is: 10 - kept.count, "notifications dropped by the sequence with \(policy)")
            token.cancel()
        }
    }

    package static let aReceiptSaysWhatBecameOfADelivery = ConformanceCheck(
        .nothingLost,
        "`deliver` returns when all observers, including those of nested posts, have finished, and counts them"
    ) { trial, center in
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
        let journal = Journal<String>()
        let actor = HeldActor(isReleased: true)
        trial.keep(
            center.addObserver(on: .task, for: Ping.self) { _ in
                await Task.yield()
                center.post(Pong())
                await Task.yield()
                journal.note("ping in a task")
            })
        trial.observe(Ping.self) { _ in journal.note("ping in the post") }
        trial.keep(
            center.addObserver(actor, on: .actor, for: Pong.self) { _, _ in
                journal.note("pong in an actor")
                center.post(Nested.Ping())
            })
        trial.keep(
            center.addObserver(on: .main, for: Nested.Ping.self) { _ in journal.note("nested on the main actor") })
        let receipt = await center.deliver(Ping())
        trial.expect(
            Set(journal.entries),
            is: ["ping in a task", "ping in the post", "pong in an actor", "nested on the main actor"],
            "calls that had finished")
        trial.expect(receipt.observers, is: 2, "observers reached")
        trial.expect(receipt.asynchronousCalls, is: 3, "asynchronous calls")
        trial.expect(receipt.discardedCalls, is: 0, "discarded calls")
        trial.expect(receipt.isComplete, "the receipt is not complete")
    }
}
