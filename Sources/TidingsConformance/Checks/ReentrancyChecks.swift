import Tidings

extension ConformanceCheck {
    package static let observersMayPost = ConformanceCheck(
        .reentrancy, "an observer may post, even its own type; the nested post returns after calling all observers"
    ) { trial, center in
        let journal = Journal<String>()
        trial.observe(Ping.self) { note in
            journal.note("ping \(note.number)")
            if note.number < 3 {
                let calls = center.post(Ping(number: note.number + 1)) + center.post(Pong(number: note.number))
                trial.expect(calls, is: 3, "observers called by two nested posts")
            }
        }
        trial.observe(Ping.self) { journal.note("second \($0.number)") }
        trial.observe(Pong.self) { journal.note("pong \($0.number)") }
        trial.expect(center.post(Ping(number: 1)), is: 2, "observers called")
        trial.expect(
            journal.entries,
            is: ["ping 1", "ping 2", "ping 3", "second 3", "pong 2", "second 2", "pong 1", "second 1"], "calls")
    }

    package static let observersMayAddAndCancelAtAnyDepth = ConformanceCheck(
        .reentrancy, "observers may add and cancel observers, even in a hundred nested posts"
    ) { trial, center in
        let journal = Journal<Int>()
        let added = TokenBox()
        trial.observe(Ping.self) { note in
            guard note.number < 100 else { return }
            added.put(center.addObserver(for: Ping.self) { journal.note($0.number) })
            center.post(Ping(number: note.number + 1))
            if note.number == 50 { added.cancel() }
        }
        center.post(Ping(number: 0))
        // Post n begins when n observers have been added, and calls these observers when its nested posts have ended.
        // Posts 51 to 100 call them before post 50 cancels all added observers. Posts 0 to 50 call none of them.
        trial.expect(journal.count, is: (51...100).reduce(0, +), "calls of added observers")
        trial.expect(center.post(Ping(number: 100)), is: 1, "observers called at the end")
    }

    package static let noLockIsHeldMeanwhile = ConformanceCheck(
        .reentrancy, "while an observer runs, other threads can post, and can add and cancel observers"
    ) { trial, center in
        let (others, entered) = (Gate(), Gate())
        let cancelled = trial.observe(Ping.self) { _ in }
        trial.observe(Ping.self) { note in
            guard note.number == 1 else { return }
            entered.open()
            trial.waitHere(for: others, "other threads could post, add and cancel while the observer was running")
        }
        async let post: Void = onThread { _ = center.post(Ping(number: 1)) }
        await trial.wait(for: entered, "the observer was called")
        await onThread {
            trial.observe(Ping.self) { _ in }
            trial.observe(Pong.self) { _ in }
            cancelled.cancel()
            center.post(Ping(number: 2))
            center.post(Pong())
            others.open()
        }
        await post
    }

    package static let noLockIsHeldWhileReleasing = ConformanceCheck(
        .reentrancy, "two centers may simultaneously release objects whose `deinit` uses the other center"
    ) { trial, center in
        for release in Release.allCases {
            let centers = [center, trial.anotherCenter()]
            let (releasing, ended) = ([Gate(), Gate()], [Gate(), Gate()])
            // These observers are registered before an owner is deallocated, because a registration may release a dead
            // owner's observers.
            let tokens = centers.map { center in center.addObserver(for: Pong.self) { _ in } }
            let actions = (0..<2).map { number in
                let (other, inner) = (centers[1 - number], tokens[1 - number])
                return release.prepare(centers[number]) {
                    // The wait makes both centers release at the same time, unless the other thread is too slow.
                    releasing[number].open()
                    releasing[1 - number].wait(patience: trial.patience)
                    inner.cancel()
                    other.addObserver(for: Ping.self) { _ in }.cancel()
                    other.post(Pong())
                }
            }
            for number in 0..<2 {
                // The tasks aren't awaited, so threads that deadlock are abandoned.
                Task {
                    await onThread {
                        actions[number]()
                        // The gate is opened even if nothing was released, because the other thread may wait for it.
                        releasing[number].open()
                        ended[number].open()
                    }
                }
            }
            for gate in ended {
                await trial.wait(for: gate, "in both centers, \(release.rawValue) released the observer's captures")
            }
            if !ended.allSatisfy(\.isOpen) { return }
        }
    }
}

private enum Release: String, CaseIterable {
    case cancel = "a cancel"
    case registration = "a registration after the owner's deallocation"
    case post = "a post after the owner's deallocation"

    /// Returns a closure that makes the center release an object whose `deinit` calls `act`.
    func prepare(
        _ center: any TypedNotificationCenter, _ act: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        let last = LastAct(act)
        if self == .cancel {
            let token = center.addObserver(for: Ping.self) { _ in last.touch() }
            return { token.cancel() }
        }
        let owner = Subject()
        center.addObserver(owner, for: Ping.self) { _, _ in last.touch() }
        withExtendedLifetime(owner) {}
        if self == .post { return { center.post(Ping()) } }
        return { center.addObserver(for: Ping.self) { _ in }.cancel() }
    }
}
