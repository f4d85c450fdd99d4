import Tidings

extension ConformanceCheck {
    package static let drainWaitsForTheRunningCall = ConformanceCheck(
        .cancel, "`cancelAndDrain` returns when no call of the observer is running on any thread"
    ) { trial, center in
        let journal = Journal<String>()
        let (entered, finish) = (Gate(), Gate())
        let token = center.addObserver(for: Ping.self) { _ in
            entered.open()
            trial.waitHere(for: finish, "the call was allowed to finish")
            journal.note("finished")
        }
        async let post: Void = onThread { _ = center.post(Ping()) }
        await trial.wait(for: entered, "the observer was called")
        let draining = await startedDrain(of: token) { journal.note("drained") }
        finish.open()
        await draining.value
        await post
        trial.expect(journal.entries, is: ["finished", "drained"], "events")
        trial.expect(center.post(Ping()), is: 0, "observers called after the cancel")
    }

    package static let drainDoesNotWaitForOthers = ConformanceCheck(
        .cancel, "`cancelAndDrain` does not wait for calls of other observers"
    ) { trial, center in
        let (entered, finish) = (Gate(), Gate())
        let first = trial.observe(Ping.self) { _ in }
        trial.observe(Ping.self) { _ in
            entered.open()
            trial.waitHere(for: finish, "`cancelAndDrain` of other observers returned while this observer was running")
        }
        let last = trial.observe(Ping.self) { _ in }
        async let post: Void = onThread { _ = center.post(Ping()) }
        await trial.wait(for: entered, "the observer was called")
        await first.cancelAndDrain()
        await last.cancelAndDrain()
        finish.open()
        await post
    }

    package static let oneMayDrainItself = ConformanceCheck(
        .cancel, "a task that an observer starts may call `cancelAndDrain` for the observer"
    ) { trial, center in
        let (box, drained) = (TokenBox(), Gate())
        box.put(
            center.addObserver(for: Ping.self) { _ in
                Task {
                    await box.drain()
                    drained.open()
                }
            })
        center.post(Ping())
        await trial.wait(for: drained, "`cancelAndDrain` returned in a task that the observer had started")
    }

    package static let drainWaitsForEveryCall = ConformanceCheck(
        .cancel, "`cancelAndDrain` waits for all running calls of the observer, both on other threads and nested"
    ) { trial, center in
        let journal = Journal<String>()
        let (entered, finish) = ([Gate(), Gate()], [Gate(), Gate()])
        let token = center.addObserver(for: Ping.self) { note in
            guard note.number < 2 else { return }
            center.post(Ping(number: 2))
            entered[note.number].open()
            trial.waitHere(for: finish[note.number], "the call was allowed to finish")
            journal.note("finished")
        }
        async let first: Void = onThread { _ = center.post(Ping(number: 0)) }
        async let second: Void = onThread { _ = center.post(Ping(number: 1)) }
        for gate in entered { await trial.wait(for: gate, "the observer was called") }
        let draining = await startedDrain(of: token) { journal.note("drained") }
        finish[0].open()
        await first
        await letOthersRun()
        finish[1].open()
        await draining.value
        await second
        trial.expect(journal.entries, is: ["finished", "finished", "drained"], "events")
    }

    package static let drainEndsWithTheCall = ConformanceCheck(
        .cancel, "`cancelAndDrain` returns when the observer's call has ended, even if the post continues"
    ) { trial, center in
        let (entered, finish, drained) = (Gate(), Gate(), Gate())
        let token = center.addObserver(for: Ping.self) { _ in
            entered.open()
            trial.waitHere(for: finish, "the call was allowed to finish")
        }
        trial.observe(Ping.self) { _ in
            trial.waitHere(for: drained, "`cancelAndDrain` returned while the next observer was running")
        }
        async let post: Void = onThread { _ = center.post(Ping()) }
        await trial.wait(for: entered, "the observer was called")
        let draining = await startedDrain(of: token) { drained.open() }
        finish.open()
        await post
        await draining.value
    }
}
