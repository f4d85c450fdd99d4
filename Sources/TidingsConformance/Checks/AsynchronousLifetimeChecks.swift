import Tidings

extension ConformanceCheck {
    package static let releasesAsynchronousObservers = ConformanceCheck(
        .lifetime, "the captures of asynchronous observers are released after a cancel, whether or not they were called"
    ) { trial in
        for isCalled in [false, true] {
            let center = trial.anotherCenter()
            let census = Census()
            let actor = HeldActor()
            var tokens: [NotificationToken] = []
            func add(_ make: (Census.Member) -> NotificationToken) { tokens.append(make(census.member())) }
            let observing = trial.asynchronously
            add { member in
                observing.observe(on: actor, Ping.self, sender: nil, buffering: .unbounded, in: center) { _, _ in
                    member.touch()
                }
            }
            add { member in observing.observeOnMainActor(Ping.self, in: center) { _ in member.touch() } }
            add { member in observing.observeInTask(Ping.self, in: center) { _ in member.touch() } }
            actor.executor.release()
            if isCalled { await center.deliver(Ping()) }
            trial.expect(census.alive, is: 3, "captures alive while observing")
            for token in tokens { token.cancel() }
            if isCalled {
                await trial.eventually("the captures were released") { census.alive == 0 }
            } else {
                trial.expect(census.alive, is: 0, "captures alive after the cancel")
            }
            tokens = []
        }
    }

    package static let anActorEndsTheObservation = ConformanceCheck(
        .lifetime, "an actor is held weakly; the observation ends with it, and its notifications are released"
    ) { trial in
        let center = trial.center
        let census = Census()
        let token = {
            let actor = Keeper(census.member())
            return center.addObserver(actor, on: .actor, for: Carrying<Census.Member>.self) { actor, _ in actor.touch()
            }
        }()
        trial.expect(census.alive, is: 0, "actors alive after their last use")
        trial.expect(!token.isActive, "a token is active although its actor is gone")
        center.post(Carrying(value: census.member()))
        trial.forget()
        await trial.eventually("the notification was released") { census.alive == 0 }
    }

    package static let aCenterEndsItsSequences = ConformanceCheck(
        .lifetime, "the end of a center ends its sequences, which keep neither the center nor a sender alive"
    ) { trial in
        let census = Census()
        let notes = {
            let center = trial.anotherCenter()
            let member = census.member()
            let token = center.addObserver(for: Pong.self) { _ in member.touch() }
            let notes = center.notifications(of: Ping.self)
            for number in 1...3 { center.post(Ping(number: number)) }
            withExtendedLifetime(token) {}
            return notes
        }()
        trial.expect(census.alive, is: 0, "observers that outlive the center")
        let (journal, ended) = (Journal<Int>(), Gate())
        let reading = Task {
            for await note in notes { journal.note(note.number) }
            ended.open()
        }
        await trial.wait(for: ended, "the loop ended with the center")
        reading.cancel()
        trial.expect(journal.entries, is: [1, 2, 3], "notifications before the end")
    }

    package static let sequencesLeaveNothingBehind = ConformanceCheck(
        .lifetime, "releasing a sequence ends its observation and releases its notifications"
    ) { trial in
        let center = trial.center
        let census = Census()
        for _ in 0..<100 {
            let notes = center.notifications(of: Carrying<Census.Member>.self)
            center.post(Carrying(value: census.member()))
            withExtendedLifetime(notes) {}
        }
        trial.forget()
        trial.expect(census.alive, is: 0, "notifications alive after their sequences")
        trial.expect(center.post(Carrying(value: census.member())), is: 0, "observers called")
    }

    package static let aSenderEndsItsSequences = ConformanceCheck(
        .lifetime, "after a sender's end, its sequences end by the next post or registration of the type"
    ) { trial in
        let center = trial.center
        for isPost in [true, false] {
            let notes = {
                let subject = Subject()
                defer { withExtendedLifetime(subject) {} }
                return center.notifications(of: FromSubject.self, sender: subject)
            }()
            if isPost {
                center.post(FromSubject(sender: Subject()))
            } else {
                trial.keep(center.addObserver(for: FromSubject.self) { _ in })
            }
            let ended = Gate()
            let reading = Task {
                for await _ in notes {}
                ended.open()
            }
            await trial.wait(for: ended, "the loop ended after the sender, by a \(isPost ? "post" : "registration")")
            reading.cancel()
        }
    }

    static let asynchronousLifetimeChecks = [
        releasesAsynchronousObservers, anActorEndsTheObservation, aCenterEndsItsSequences, aSenderEndsItsSequences,
        sequencesLeaveNothingBehind,
    ]
}

private actor Keeper {
    private let member: Census.Member

    init(_ member: Census.Member) { self.member = member }

    func touch() { member.touch() }
}
