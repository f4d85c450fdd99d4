import Tidings

extension ConformanceCheck {
    package static let releasesAsynchronousObservers = ConformanceCheck(
        .lifetime, "cancelled asynchronous observers release their captures, whether or not they have been called"
    ) { trial, _ in
        for isCalled in [false, true] {
            let center = trial.anotherCenter()
            let census = Census()
            let actor = HeldActor(isReleased: true)
            let observing = trial.asynchronously
            var tokens = [
                observing.observe(on: actor, Ping.self, sender: nil, buffering: .unbounded, in: center) {
                    [member = census.member()] _, _ in member.touch()
                },
                observing.observeOnMainActor(Ping.self, in: center) { [member = census.member()] _ in member.touch() },
                observing.observeInTask(Ping.self, in: center) { [member = census.member()] _ in member.touch() },
            ]
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
        .lifetime, "an actor is held weakly; its deallocation ends the observation and releases queued notifications"
    ) { trial, center in
        let census = Census()
        let token = {
            let actor = Keeper(census.member())
            return center.addObserver(actor, on: .actor, for: Carrying<Census.Member>.self) { _, _ in }
        }()
        trial.expect(census.alive, is: 0, "actors alive after their last use")
        trial.expect(!token.isActive, "a token is active although its actor is gone")
        center.post(Carrying(value: census.member()))
        trial.forget()
        await trial.eventually("the notification was released") { census.alive == 0 }
    }

    package static let aCenterEndsItsSequences = ConformanceCheck(
        .lifetime, "deallocating a center ends its sequences, which keep neither the center nor a sender alive"
    ) { trial, _ in
        let census = Census()
        // The token is released after the check, because its release would also end the observer.
        let (notes, token) = {
            let center = trial.anotherCenter()
            let token = census.observe(Pong.self, in: center)
            let notes = center.notifications(of: Ping.self)
            for number in 1...3 { center.post(Ping(number: number)) }
            return (notes, token)
        }()
        trial.expect(census.alive, is: 0, "observers that outlive the center")
        withExtendedLifetime(token) {}
        let received = await trial.read(from: notes, "the loop ended when the center was deallocated")
        trial.expect(received.map(\.number), is: [1, 2, 3], "notifications received before the loop ended")
    }

    package static let sequencesLeaveNothingBehind = ConformanceCheck(
        .lifetime, "releasing a sequence ends its observation and releases its queued notifications"
    ) { trial, center in
        let census = Census()
        for _ in 0..<100 {
            let notes = center.notifications(of: Carrying<Census.Member>.self)
            center.post(Carrying(value: census.member()))
            withExtendedLifetime(notes) {}
        }
        trial.forget()
        trial.expect(census.alive, is: 0, "notifications alive after their sequences were released")
        trial.expect(center.post(Carrying(value: census.member())), is: 0, "observers called")
    }

    package static let aSenderEndsItsSequences = ConformanceCheck(
        .lifetime, "after a sender is deallocated, the next post or registration of the type ends its sequences"
    ) { trial, center in
        for isPost in [true, false] {
            let notes = {
                let subject = Subject()
                defer { withExtendedLifetime(subject) {} }
                return center.notifications(of: FromSubject.self, sender: subject)
            }()
            if isPost {
                center.post(FromSubject(sender: Subject()))
            } else {
                trial.observe(FromSubject.self) { _ in }
            }
            await trial.read(from: notes, "the loop ended at the next \(isPost ? "post" : "registration")")
        }
    }
}

private actor Keeper {
    private let member: Census.Member

    init(_ member: Census.Member) { self.member = member }
}
