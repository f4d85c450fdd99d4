import Tidings

extension ConformanceCheck {
    package static let anAwaitingObserverNeverOverlapsWithItself = ConformanceCheck(
        .order,
        "an observer that suspends during calls receives one notification at a time, in the order posted"
    ) { trial, center in
        let actor = HeldActor(isReleased: true)
        let journals = (0..<3).map { _ in Journal<Int>() }
        @Sendable func handle(_ note: Ping, in journal: Journal<Int>) async {
            journal.note(note.number)
            for _ in 0..<note.number % 4 { await Task.yield() }
            journal.note(-note.number)
        }
        let observing = trial.asynchronously
        trial.keep(
            observing.observeAwaiting(on: actor, Ping.self, in: center) { await handle($1, in: journals[0]) })
        trial.keep(
            observing.observeAwaitingOnMainActor(Ping.self, in: center) { await handle($0, in: journals[1]) })
        trial.keep(observing.observeInTask(Ping.self, in: center) { await handle($0, in: journals[2]) })
        for number in 1...100 { center.post(Ping(number: number)) }
        for journal in journals {
            await trial.eventually("every notification was handled", { journal.count }, reaches: 200)
            trial.expect(
                journal.entries == (1...100).flatMap { [$0, -$0] },
                "calls overlapped, or did not keep the order of the posts")
        }
    }

    package static let cancelLetsARunningCallFinish = ConformanceCheck(
        .cancel, "a cancel discards queued notifications, but doesn't interrupt a running call or cancel its task"
    ) { trial, center in
        let actor = HeldActor(isReleased: true)
        let (begun, go, ended) = (Gate(), Gate(), Gate())
        let wasCancelled = Journal<Bool>()
        let token = trial.asynchronously.observeAwaiting(on: actor, Ping.self, in: center) { actor, note in
            actor.journal.note(note.number)
            begun.open()
            await go.wait()
            wasCancelled.note(Task.isCancelled)
            actor.journal.note(-note.number)
            ended.open()
        }
        for number in 1...3 { center.post(Ping(number: number)) }
        await trial.wait(for: begun, "the first call began")
        token.cancel()
        go.open()
        await trial.wait(for: ended, "the running call ended")
        await token.cancelAndDrain()
        await letOthersRun()
        trial.expect(actor.journal.entries, is: [1, -1], "events of the observer")
        trial.expect(wasCancelled.entries, is: [false], "whether the task of the running call was cancelled")
    }

    package static let aReceiptNamesWhoFailed = ConformanceCheck(
        .nothingLost, "a receipt contains observers' errors, and these observers receive later notifications"
    ) { trial, center in
        let actor = HeldActor(isReleased: true)
        let journal = Journal<Int>()
        @Sendable func fail(_ note: Ping) throws {
            journal.note(note.number)
            throw RefusedNotification(number: note.number)
        }
        let observing = trial.asynchronously
        trial.keep(observing.observeAwaiting(on: actor, Ping.self, in: center) { _, note in try fail(note) })
        trial.keep(observing.observeAwaitingOnMainActor(Ping.self, in: center) { try fail($0) })
        trial.keep(observing.observeInTask(Ping.self, in: center) { try fail($0) })
        for number in 1...2 {
            let receipt = await center.deliver(Ping(number: number))
            let numbers = receipt.failures.map { ($0.error as? RefusedNotification)?.number }
            trial.expect(numbers, is: [number, number, number], "the errors in the receipt")
            trial.expect(
                Set(receipt.failures.map(\.observer.delivery)), is: [.actor, .mainActor, .task],
                "the observers that threw the errors")
            trial.expect(receipt.asynchronousCalls, is: 3, "asynchronous calls")
            trial.expect(receipt.isComplete, "the receipt is not complete")
        }
        trial.expect(journal.entries, is: [1, 1, 1, 2, 2, 2], "the notifications that observers received")
    }

    package static let aReceiptNamesWhoHasNotFinished = ConformanceCheck(
        .nothingLost,
        "`deliver` returns when its time limit has passed, and its receipt lists the unfinished observers"
    ) { trial, center in
        let actor = HeldActor(isReleased: true)
        let (go, ended) = (Gate(), Gate())
        trial.keep(
            trial.asynchronously.observeAwaiting(on: actor, Ping.self, in: center) { _, _ in
                await go.wait()
                ended.open()
            })
        let receipt = await center.deliver(Ping(), within: .zero)
        trial.expect(receipt.unfinished.map(\.delivery), is: [.actor], "the observers that had not finished")
        trial.expect(!receipt.isComplete, "a receipt is complete although an observer has not finished")
        go.open()
        await trial.wait(for: ended, "the call continued after the time limit")
        let complete = await center.deliver(Ping(), within: trial.patience)
        trial.expect(complete.unfinished.isEmpty, "an observer that has finished is listed as unfinished")
        trial.expect(complete.isComplete, "a receipt is not complete although all observers have finished")
    }
}

private struct RefusedNotification: Error {
    let number: Int
}
