import Tidings

extension ConformanceCheck {
    /// What is queued for an asynchronous observer when it is cancelled is discarded.
    public static let whatIsQueuedIsDiscarded = ConformanceCheck(
        .cancel, "what is queued for an asynchronous observer is discarded when it is cancelled"
    ) { trial in
        let center = trial.center
        let actor = HeldActor()
        let token = trial.asynchronously.observe(
            on: actor, Ping.self, sender: nil, buffering: .unbounded, in: center
        ) { actor, note in actor.journal.note(note.number) }
        for number in 1...10 { center.post(Ping(number: number)) }
        await trial.wait(for: actor.executor.hasJobs, "the observer had something to do")
        token.cancel()
        center.post(Ping(number: 11))
        actor.executor.release()
        await actor.finish()
        trial.expect(actor.journal.entries, is: [], "notifications that arrived after the cancel")
    }

    /// `cancelAndDrain` waits for the running call of an asynchronous observer.
    public static let drainWaitsForAnAsynchronousCall = ConformanceCheck(
        .cancel, "`cancelAndDrain` returns when the running call of an asynchronous observer has ended"
    ) { trial in
        let center = trial.center
        let journal = Journal<String>()
        let (entered, finish) = (Latch(), Latch())
        let token = trial.asynchronously.observeInTask(Ping.self, in: center) { _ in
            entered.open()
            await finish.wait()
            journal.note("finished")
        }
        center.post(Ping())
        center.post(Ping())
        await trial.wait(for: entered, "the observer was called")
        let draining = await startedTask {
            await token.cancelAndDrain()
            journal.note("drained")
        }
        await letOthersRun()
        finish.open()
        await draining.value
        trial.expect(journal.entries, is: ["finished", "drained"], "what happened")
    }

    /// Asynchronous observers may drain themselves, and each other.
    public static let asynchronousObserversMayDrainEachOther = ConformanceCheck(
        .cancel, "asynchronous observers may drain themselves and each other"
    ) { trial in
        let center = trial.center
        let (first, second) = (TokenBox(), TokenBox())
        let (firstRuns, secondRuns, firstIsDone, secondIsDone) = (Latch(), Latch(), Latch(), Latch())
        first.put(
            center.addObserver(on: .task, for: Ping.self) { _ in
                firstRuns.open()
                await secondRuns.wait()
                await first.drain()
                await second.drain()
                firstIsDone.open()
            })
        second.put(
            center.addObserver(on: .task, for: Ping.self) { _ in
                secondRuns.open()
                await firstRuns.wait()
                await second.drain()
                await first.drain()
                secondIsDone.open()
            })
        center.post(Ping())
        await trial.wait(for: firstIsDone, "the first observer had drained both")
        await trial.wait(for: secondIsDone, "the second observer had drained both")
    }

    static let asynchronousCancelChecks = [
        whatIsQueuedIsDiscarded, drainWaitsForAnAsynchronousCall, asynchronousObserversMayDrainEachOther,
    ]
}
