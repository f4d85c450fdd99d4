import Tidings

extension ConformanceCheck {
    /// No post that begins after a cancel has returned calls the observer, on any thread.
    public static let cancelEndsTheObservation = ConformanceCheck(
        .cancel, "no post that begins after a cancel, or after the token was let go, calls the observer, on any thread"
    ) { trial in
        let center = trial.center
        let journal = Journal<String>()
        let token = center.addObserver(for: Ping.self) { _ in journal.note("cancelled") }
        let box = TokenBox()
        box.put(center.addObserver(for: Ping.self) { _ in journal.note("let go") })
        trial.expect(token.isActive, "a token is not active although its observer can be called")
        trial.expect(center.post(Ping()), is: 2, "observers called before")
        token.cancel()
        box.empty()
        trial.expect(!token.isActive, "a cancelled token is active")
        trial.expect(center.post(Ping()), is: 0, "observers called after")
        await onThread { trial.expect(center.post(Ping()), is: 0, "observers called after, on another thread") }
        trial.expect(journal.entries, is: ["cancelled", "let go"], "calls")
    }

    /// Cancelling again changes nothing.
    public static let cancelIsIdempotent = ConformanceCheck(
        .cancel, "cancelling again, on whatever thread, changes nothing"
    ) { trial in
        let center = trial.center
        let token = center.addObserver(for: Ping.self) { _ in }
        token.cancel()
        // Whatever the center uses again for the next observer must not be ended by the old token.
        for _ in 0..<100 { trial.keep(center.addObserver(for: Ping.self) { _ in }) }
        await onThreads(4) { _ in
            for _ in 0..<100 { token.cancel() }
        }
        await token.cancelAndDrain()
        trial.expect(center.post(Ping()), is: 100, "observers called")
    }

    /// A post under way on the cancelling thread does not call the observer any more, however deep the cancel is made.
    public static let cancelEndsPostsUnderWayOnItsThread = ConformanceCheck(
        .cancel, "posts under way on the cancelling thread do not call the observer, however deep the cancel was made"
    ) { trial in
        let center = trial.center
        let journal = Journal<Int>()
        let box = TokenBox()
        trial.keep(
            center.addObserver(for: Ping.self) { note in
                if note.number < 4 { center.post(Ping(number: note.number + 1)) } else { box.cancel() }
            })
        box.put(center.addObserver(for: Ping.self) { journal.note($0.number) })
        center.post(Ping(number: 1))
        trial.expect(journal.entries, is: [], "posts that called the observer")
    }

    static let cancelChecks =
        [cancelEndsTheObservation, cancelIsIdempotent, cancelEndsPostsUnderWayOnItsThread] + drainChecks
}
