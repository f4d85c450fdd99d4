import Tidings

extension ConformanceCheck {
    package static let theLateBeginWithTheLatest = ConformanceCheck(
        .replay, "if a type is replayed, a new observer first receives the type's latest notification"
    ) { trial, center in
        let journal = Journal<Int>()
        for number in 1...3 { center.post(State(number: number)) }
        center.post(Ping(number: 10))
        trial.observe(Ping.self) { journal.note($0.number) }
        trial.expect(journal.entries, is: [], "calls by the registration for a type that is not replayed")
        let token = center.addObserver(for: State.self) { journal.note($0.number) }
        trial.expect(journal.entries, is: [3], "calls by the registration")
        trial.expect(center.post(State(number: 4)), is: 1, "observers called by the next post")
        token.cancel()
        center.post(State(number: 5))
        trial.expect(journal.entries, is: [3, 4], "calls of an observer that was cancelled after the next post")
        trial.observe(State.self, where: { $0.number > 5 }) { journal.note($0.number) }
        trial.expect(
            journal.entries, is: [3, 4], "calls of an observer whose condition rejects the latest notification")
    }

    package static let eachSenderHasItsLatest = ConformanceCheck(
        .replay,
        "an observer first receives the latest notification of its sender or, without a sender, of all senders"
    ) { trial, center in
        let journal = Journal<Int>()
        let (one, other) = (Subject(), Subject())
        for (sender, number) in [(one, 1), (other, 2), (one, 3), (other, 4)] {
            center.post(StateOfSubject(sender: sender, number: number))
        }
        for (sender, number) in [("a", 11), ("b", 12), ("a", 13), ("b", 14)] {
            center.post(StateOfValue(sender: sender, number: number))
        }
        for sender in [one, other, Subject()] {
            trial.observe(StateOfSubject.self, sender: sender) { journal.note($0.number) }
        }
        for sender in ["a", "b", "c"] {
            trial.observe(StateOfValue.self, sender: sender) { journal.note($0.number) }
        }
        trial.observe(StateOfSubject.self) { journal.note($0.number) }
        trial.observe(StateOfValue.self) { journal.note($0.number) }
        trial.expect(
            journal.entries, is: [3, 4, 13, 14, 4, 14],
            "first notifications of the observers of each sender, and of all senders")
        withExtendedLifetime((one, other)) {}
    }

    package static let theLatestGoesWithItsSender = ConformanceCheck(
        .replay, "the next post or registration releases the latest notification of a deallocated sender"
    ) { trial, center in
        let journal = Journal<Int>()
        let other = Subject()
        var (sender, content): (Subject?, Subject?) = (Subject(), Subject())
        weak let (gone, released) = (sender, content)
        center.post(StateOfSubject(sender: other, number: 1))
        center.post(StateOfSubject(sender: sender, number: 2, content: content))
        content = nil
        trial.expect(released != nil, "a notification whose sender is alive was not kept")
        sender = nil
        trial.forget()
        trial.expect(gone == nil, "a sender is alive although only the center refers to it")
        trial.observe(StateOfSubject.self) { journal.note($0.number) }
        trial.expect(
            journal.entries, is: [1], "first notification of an observer of all senders, after a deallocation")
        trial.forget()
        trial.expect(released == nil, "the kept notification is alive although its sender is not")
        withExtendedLifetime(other) {}
    }

    package static let postsMayRaceWithTheLate = ConformanceCheck(
        .replay,
        "an observer added during posts receives the latest notification, then each later one once, in order"
    ) { trial, center in
        for _ in 0..<50 {
            let (journal, begun, registered, last) = (Journal<Int>(), Gate(), Gate(), Journal<Int>())
            center.post(State(number: 0))
            async let posts: Void = onThread {
                var number = 0
                while number < 100_000, !registered.isOpen { number = post(number + 1) }
                for _ in 0..<10 { number = post(number + 1) }
                last.note(number)
                func post(_ number: Int) -> Int {
                    center.post(State(number: number))
                    if number == 10 { begun.open() }
                    return number
                }
            }
            await trial.wait(for: begun, "the posts began")
            let token = center.addObserver(for: State.self) { journal.note($0.number) }
            registered.open()
            await posts
            token.cancel()
            let (entries, end) = (journal.entries, last.entries.first ?? 0)
            // A registration without a race is checked as well, so that a center that replays nothing doesn't pass.
            let late = Journal<Int>()
            center.addObserver(for: State.self) { late.note($0.number) }.cancel()
            trial.expect(late.entries, is: [end], "notifications received by an observer registered after the posts")
            let expected = Array(min(entries.first ?? end, end)...end)
            trial.expect(
                entries == expected,
                "received \(entries.count), expected the \(expected.count) from \(entries.first ?? -1) to \(end), each once and in order"
            )
        }
    }

    package static let asynchronousObserversBeginWithTheLatest = ConformanceCheck(
        .replay, "actors, the main actor, tasks and sequences also receive the latest notification first"
    ) { trial, center in
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
        for number in 1...3 { center.post(State(number: number)) }
        let (actor, onMain, inTask) = (HeldActor(isReleased: true), Journal<Int>(), Journal<Int>())
        trial.keep(
            center.addObserver(actor, on: .actor, for: State.self) { actor, note in actor.journal.note(note.number) })
        trial.keep(center.addObserver(on: .main, for: State.self) { onMain.note($0.number) })
        trial.keep(center.addObserver(on: .task, for: State.self) { inTask.note($0.number) })
        let notes = center.notifications(of: State.self)
        center.post(State(number: 4))
        _ = await center.deliver(State(number: 5))
        let expected = [3, 4, 5]
        trial.expect(actor.journal.entries, is: expected, "notifications received by the actor")
        trial.expect(onMain.entries, is: expected, "notifications received by the main actor")
        trial.expect(inTask.entries, is: expected, "notifications received by the task")
        // Without this post, a sequence that missed the latest notification would wait in vain for a third one.
        center.post(State(number: 6))
        let read = await trial.read(3, from: notes, "the sequence received three notifications").prefix(3)
        trial.expect(read.map(\.number), is: expected, "notifications received by the sequence")
        await actor.finish()
    }
}
