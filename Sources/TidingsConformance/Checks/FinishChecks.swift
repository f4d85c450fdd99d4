import Tidings

extension ConformanceCheck {
    package static let aDrainSaysWhatIsLeft = ConformanceCheck(
        .nothingLost, "`drain` waits for earlier posts up to a time limit, and returns the unfinished observers"
    ) { trial, center in
        let actor = HeldActor()
        trial.keep(actor.observe(in: center, line: 7))
        trial.expect(await center.drain(within: .zero).count, is: 0, "unfinished observers before the first post")
        for number in 1...3 { center.post(Ping(number: number)) }
        let left = await center.drain(within: .zero)
        trial.expect(left.map(\.place.line), is: [7], "the places of unfinished observers")
        trial.expect(left.map(\.queued), is: [3], "notifications queued for unfinished observers")
        actor.executor.release()
        trial.expect(
            await center.drain(within: trial.patience).count, is: 0, "unfinished observers when none is blocked")
        trial.expect(actor.journal.entries, is: [1, 2, 3], "notifications handled by the actor")
        trial.expect(center.post(Ping()), is: 1, "observers called after the drain")
    }

    package static let aFinishTakesNothingNew = ConformanceCheck(
        .nothingLost, "`finish` handles queued notifications, accepts no new ones, and returns the unfinished observers"
    ) { trial, center in
        let actor = HeldActor()
        let inPost = Journal<Int>()
        let token = trial.observe(Ping.self) { note in inPost.note(note.number) }
        trial.keep(actor.observe(in: center, line: 7))
        for number in 1...3 { center.post(Ping(number: number)) }
        trial.expect(
            await center.finish(within: .zero).map(\.place.line), is: [7], "the places of unfinished observers")
        trial.expect(!token.isActive, "the token of an observer is active although its center has finished")
        trial.expect(center.post(Ping(number: 4)), is: 0, "observers called after the finish")
        trial.expect(inPost.entries, is: [1, 2, 3], "notifications received by the observer in the post")
        actor.executor.release()
        await trial.eventually("the actor handled the queued notifications") { actor.journal.count >= 3 }
        trial.expect(
            await center.finish(within: trial.patience).count, is: 0, "unfinished observers when none is blocked")
        await actor.finish()
        trial.expect(actor.journal.entries, is: [1, 2, 3], "notifications received by the actor")
    }

    package static let aFinishEndsItsSequences = ConformanceCheck(
        .lifetime, "`finish` ends sequences after their queued notifications are read, and releases observers' captures"
    ) { trial, center in
        var subject: Subject? = Subject()
        weak let released = subject
        trial.observe(Ping.self) { [subject] _ in withExtendedLifetime(subject) {} }
        subject = nil
        let notes = center.notifications(of: Ping.self)
        for number in 1...3 { center.post(Ping(number: number)) }
        async let received = trial.read(from: notes, "the sequence ended")
        trial.expect(await center.finish(within: trial.patience).count, is: 0, "unfinished observers")
        trial.expect(released == nil, "the captures of an observer are alive although its center has finished")
        // If the center hasn't finished, the sequence never ends, so the check doesn't wait for `received`.
        if center.post(Ping(number: 4)) > 0 { return trial.expect(false, "observers were called after the finish") }
        trial.expect(await received.map(\.number), is: [1, 2, 3], "notifications received by the sequence")
    }

    package static let aFinishWaitsForPosts = ConformanceCheck(
        .nothingLost, "a `finish` during a post waits for the post, which calls all of its observers"
    ) { trial, center in
        let (begun, go, calls) = (Gate(), Gate(), Journal<Int>())
        trial.observe(Ping.self) { _ in
            calls.note(1)
            begun.open()
            trial.waitHere(for: go, "the post continued")
        }
        for number in 2...70 { trial.observe(Ping.self) { _ in calls.note(number) } }
        async let post: Void = onThread {
            trial.expect(center.post(Ping()), is: 70, "observers called by a post that had begun")
        }
        await trial.wait(for: begun, "the post began")
        trial.expect(await center.finish(within: .zero).count, is: 1, "observers whose call had not ended")
        go.open()
        await post
        trial.expect(await center.finish(within: trial.patience).count, is: 0, "unfinished observers")
        trial.expect(calls.entries == Array(1...70), "a post that had begun did not call all its observers in order")
        trial.expect(center.post(Ping()), is: 0, "observers called after the finish")
    }
}
