import Tidings

extension ConformanceCheck {
    /// An observer may post, also what it observes itself, and the posts inside are complete when they return.
    public static let observersMayPost = ConformanceCheck(
        .reentrancy, "an observer may post, also what it observes itself; a post inside is over when it returns"
    ) { trial in
        let center = trial.center
        let journal = Journal<String>()
        trial.keep(
            center.addObserver(for: Ping.self) { note in
                journal.note("ping \(note.number)")
                if note.number < 3 {
                    let calls = center.post(Ping(number: note.number + 1)) + center.post(Pong(number: note.number))
                    trial.expect(calls, is: 3, "observers called by two posts inside")
                }
            })
        trial.keep(center.addObserver(for: Ping.self) { journal.note("second \($0.number)") })
        trial.keep(center.addObserver(for: Pong.self) { journal.note("pong \($0.number)") })
        trial.expect(center.post(Ping(number: 1)), is: 2, "observers called")
        trial.expect(
            journal.entries,
            is: ["ping 1", "ping 2", "ping 3", "second 3", "pong 2", "second 2", "pong 1", "second 1"], "calls")
    }

    /// An observer may add and cancel observers at any depth.
    public static let observersMayAddAndCancelAtAnyDepth = ConformanceCheck(
        .reentrancy, "observers may add and cancel observers, a hundred posts deep"
    ) { trial in
        let center = trial.center
        let journal = Journal<Int>()
        let added = TokenBox()
        trial.keep(
            center.addObserver(for: Ping.self) { note in
                guard note.number < 100 else { return }
                added.put(center.addObserver(for: Ping.self) { journal.note($0.number) })
                center.post(Ping(number: note.number + 1))
                if note.number == 50 { added.cancel() }
            })
        center.post(Ping(number: 0))
        // The post numbered n began with n observers added. Those of 51 and later had all been called when the 50th post
        // cancelled the observers; those before it had not been called yet.
        trial.expect(journal.count, is: (51...100).reduce(0, +), "calls of added observers")
        trial.expect(center.post(Ping(number: 100)), is: 1, "observers called at the end")
    }

    /// While an observer runs, other threads can post, add and cancel.
    public static let noLockIsHeldMeanwhile = ConformanceCheck(
        .reentrancy, "while an observer runs, other threads can post, add and cancel"
    ) { trial in
        let center = trial.center
        let others = Gate()
        let entered = Gate()
        let cancelled = trial.keep(center.addObserver(for: Ping.self) { _ in })
        trial.keep(
            center.addObserver(for: Ping.self) { note in
                guard note.number == 1 else { return }
                entered.open()
                trial.waitHere(for: others, "the others could act while the observer was running")
            })
        async let post: Void = onThread { _ = center.post(Ping(number: 1)) }
        await trial.wait(for: entered, "the observer was called")
        await onThread {
            trial.keep(center.addObserver(for: Ping.self) { _ in })
            trial.keep(center.addObserver(for: Pong.self) { _ in })
            cancelled.cancel()
            center.post(Ping(number: 2))
            center.post(Pong())
            others.open()
        }
        await post
    }

    static let reentrancyChecks = [observersMayPost, observersMayAddAndCancelAtAnyDepth, noLockIsHeldMeanwhile]
}
