import Tidings

extension ConformanceCheck {
    package static let cancelEndsTheObservation = ConformanceCheck(
        .cancel, "after the token is cancelled or released, no new post on any thread calls the observer"
    ) { trial, center in
        let journal = Journal<String>()
        let token = center.addObserver(for: Ping.self) { _ in journal.note("cancelled") }
        let box = TokenBox()
        box.put(center.addObserver(for: Ping.self) { _ in journal.note("released") })
        trial.expect(token.isActive, "a token is not active although its observer can be called")
        trial.expect(center.post(Ping()), is: 2, "observers called before the cancel")
        token.cancel()
        box.takeAll()
        trial.expect(!token.isActive, "a cancelled token is active")
        trial.expect(center.post(Ping()), is: 0, "observers called after the cancel")
        await onThread { trial.expect(center.post(Ping()), is: 0, "observers called by another thread's post") }
        trial.expect(journal.entries, is: ["cancelled", "released"], "calls")
    }

    package static let cancelIsIdempotent = ConformanceCheck(
        .cancel, "cancelling a token again, on any thread, has no effect"
    ) { trial, center in
        let token = center.addObserver(for: Ping.self) { _ in }
        token.cancel()
        // Even if the center reuses the memory of the cancelled observer, the old token must not end new observers.
        for _ in 0..<100 { trial.observe(Ping.self) { _ in } }
        await onThreads(4) { _ in
            for _ in 0..<100 { token.cancel() }
        }
        await token.cancelAndDrain()
        trial.expect(center.post(Ping()), is: 100, "observers called")
    }

    package static let cancelEndsPostsUnderWayOnItsThread = ConformanceCheck(
        .cancel,
        "after a cancel in a nested post, no post in progress on the same thread calls the observer"
    ) { trial, center in
        let journal = Journal<Int>()
        let box = TokenBox()
        trial.observe(Ping.self) { note in
            if note.number < 4 { center.post(Ping(number: note.number + 1)) } else { box.cancel() }
        }
        box.put(center.addObserver(for: Ping.self) { journal.note($0.number) })
        center.post(Ping(number: 1))
        trial.expect(journal.entries, is: [], "posts that called the observer")
    }

    package static let whatIsQueuedIsDiscarded = ConformanceCheck(
        .cancel, "cancelling an asynchronous observer discards the notifications that are queued for it"
    ) { trial, center in
        let actor = HeldActor()
        let token = trial.asynchronously.observe(
            on: actor, Ping.self, sender: nil, buffering: .unbounded, in: center
        ) { actor, note in actor.journal.note(note.number) }
        for number in 1...10 { center.post(Ping(number: number)) }
        await trial.wait(for: actor.executor.hasJobs, "a call of the observer was scheduled")
        token.cancel()
        center.post(Ping(number: 11))
        actor.executor.release()
        await actor.finish()
        trial.expect(actor.journal.entries, is: [], "notifications that the observer received after the cancel")
    }

    package static let drainWaitsForAnAsynchronousCall = ConformanceCheck(
        .cancel, "`cancelAndDrain` returns when the running call of an asynchronous observer has ended"
    ) { trial, center in
        let journal = Journal<String>()
        let (entered, finish) = (Gate(), Gate())
        let token = trial.asynchronously.observeInTask(Ping.self, in: center) { _ in
            entered.open()
            await finish.wait()
            journal.note("finished")
        }
        center.post(Ping())
        center.post(Ping())
        await trial.wait(for: entered, "the observer was called")
        let draining = await startedDrain(of: token) { journal.note("drained") }
        finish.open()
        await draining.value
        trial.expect(journal.entries, is: ["finished", "drained"], "events")
    }

    package static let asynchronousObserversMayDrainEachOther = ConformanceCheck(
        .cancel, "asynchronous observers may call `cancelAndDrain` for themselves and for each other"
    ) { trial, center in
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
        let (boxes, running, ended) = ([TokenBox(), TokenBox()], [Gate(), Gate()], [Gate(), Gate()])
        for number in 0..<2 {
            boxes[number].put(
                center.addObserver(on: .task, for: Ping.self) { _ in
                    running[number].open()
                    await running[1 - number].wait()
                    await boxes[number].drain()
                    await boxes[1 - number].drain()
                    ended[number].open()
                })
        }
        center.post(Ping())
        await trial.wait(for: ended[0], "in the first observer, both calls of `cancelAndDrain` returned")
        await trial.wait(for: ended[1], "in the second observer, both calls of `cancelAndDrain` returned")
    }
}
