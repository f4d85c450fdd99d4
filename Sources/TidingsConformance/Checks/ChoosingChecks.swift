import Tidings

extension ConformanceCheck {
    package static let aConditionChooses = ConformanceCheck(
        .identity, "an observer with a condition receives only the notifications that meet the condition"
    ) { trial, center in
        let (plain, owned, limited) = (Journal<Int>(), Journal<Int>(), Journal<Int>())
        let (subject, owner) = (Subject(), Subject())
        trial.observe(Ping.self, where: { $0.number > 2 }) { plain.note($0.number) }
        trial.keep(
            center.addObserver(owner, for: Ping.self, where: { $0.number < 2 }) { _, note in owned.note(note.number) })
        trial.observe(FromSubject.self, sender: subject, where: { $0.number == 3 }) { limited.note($0.number) }
        for number in 1...4 {
            center.post(Ping(number: number))
            center.post(FromSubject(sender: subject, number: number))
            center.post(FromSubject(sender: Subject(), number: number))
        }
        trial.expect(plain.entries, is: [3, 4], "notifications received by an observer with a condition")
        trial.expect(owned.entries, is: [1], "notifications received by an observer with a condition and an owner")
        trial.expect(limited.entries, is: [3], "notifications received by an observer with a condition and a sender")
    }

    package static let severalTypesKeepTheOrder = ConformanceCheck(
        .order, "a sequence of several types returns notifications in the order posted, and has a single buffer"
    ) { trial, center in
        let notes = center.notifications(of: Ping.self, Pong.self)
        let latest = center.notifications(of: Ping.self, Pong.self, buffering: .latest(2))
        for number in 1...50 {
            center.post(Ping(number: number))
            center.post(Pong(number: number))
        }
        let received = await trial.read(100, from: notes, "the sequence received 100 notifications")
        let numbers = received.map { ($0 as? Ping)?.number ?? ($0 as? Pong).map { -$0.number } }
        trial.expect(numbers == (1...50).flatMap { [$0, -$0] }, "the sequence did not keep the order of the posts")
        trial.expect(latest.droppedCount, is: 98, "dropped notifications of both types")
    }

    package static let anOwnersObserversCanBeRemoved = ConformanceCheck(
        .cancel, "`removeObservers(of:)` ends an owner's observations of all types, and discards queued notifications"
    ) { trial, center in
        let (owner, actor, calls) = (Subject(), HeldActor(), Journal<Int>())
        trial.keep(center.addObserver(owner, for: Ping.self) { _, _ in calls.note(1) })
        trial.keep(center.addObserver(owner, for: Pong.self) { _, _ in calls.note(2) })
        trial.keep(actor.observe(in: center))
        trial.observe(Ping.self) { _ in calls.note(3) }
        center.post(Ping(number: 1))
        center.post(Pong())
        center.removeObservers(of: owner)
        center.removeObservers(of: actor)
        trial.expect(center.post(Ping(number: 2)), is: 1, "observers called after the removal")
        trial.expect(center.post(Pong()), is: 0, "observers of another type called after the removal")
        trial.expect(calls.entries, is: [1, 3, 2, 3], "the calls")
        actor.executor.release()
        await actor.finish()
        await letOthersRun()
        trial.expect(actor.journal.entries, is: [], "notifications received by an actor whose observers were removed")
    }
}
