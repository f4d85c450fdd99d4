import Tidings

extension ConformanceCheck {
    package static let releasesAtCancel = ConformanceCheck(
        .lifetime, "an observer's captures are released when its token is cancelled or released outside a post"
    ) { trial, center in
        let census = Census()
        var tokens = (0..<4).map { _ in census.observe(Ping.self, in: center) }
        center.post(Ping())
        trial.expect(census.alive, is: 4, "captures alive while observing")
        tokens[1].cancel()
        trial.expect(census.alive, is: 3, "captures alive after a cancel")
        tokens.remove(at: 2)
        trial.expect(census.alive, is: 2, "captures alive after a token was also released")
        tokens = []
        trial.expect(census.alive, is: 0, "captures alive after all tokens were released")
    }

    package static let releasesWhenThePostsEnd = ConformanceCheck(
        .lifetime, "the captures of observers that are cancelled in a post are released when that post ends"
    ) { trial, center in
        let census = Census()
        let box = TokenBox()
        for number in 0..<5 {
            box.put(
                center.addObserver(for: Ping.self) { [member = census.member()] note in
                    member.touch()
                    if number == 2, note.number < 3 { center.post(Ping(number: note.number + 1)) }
                    if number == 2, note.number == 3 { box.takeAll() }
                })
        }
        center.post(Ping(number: 1))
        trial.expect(census.alive, is: 0, "captures alive after the post")
    }

    package static let releasesWhenPostsOnOtherThreadsEnd = ConformanceCheck(
        .lifetime, "if an observer is cancelled during another thread's post, the end of the post releases the captures"
    ) { trial, center in
        let census = Census()
        let (entered, finish) = (Gate(), Gate())
        let running = center.addObserver(for: Ping.self) { [member = census.member()] _ in
            member.touch()
            entered.open()
            trial.waitHere(for: finish, "the call was allowed to finish")
        }
        let next = census.observe(Ping.self, in: center)
        async let post: Void = onThread { _ = center.post(Ping()) }
        await trial.wait(for: entered, "the observer was called")
        running.cancel()
        next.cancel()
        trial.expect(census.alive > 0, "the captures of a running observer were released during its call")
        finish.open()
        await post
        trial.expect(census.alive, is: 0, "captures alive after the post")
    }

    package static let postsOfOtherTypesKeepNothing = ConformanceCheck(
        .lifetime, "a cancel releases an observer's captures at once, even during posts of other types"
    ) { trial, center in
        let census = Census()
        let (entered, finish) = (Gate(), Gate())
        let (inside, outside) = (TokenBox(), TokenBox())
        for box in [inside, outside] { box.put(census.observe(Ping.self, in: center)) }
        trial.observe(Pong.self) { _ in
            inside.takeAll()
            trial.expect(census.alive, is: 1, "captures alive after a cancel in the post of another type")
            entered.open()
            trial.waitHere(for: finish, "the call was allowed to finish")
        }
        async let post: Void = onThread { _ = center.post(Pong()) }
        await trial.wait(for: entered, "the observer of the other type was called")
        outside.takeAll()
        trial.expect(
            census.alive, is: 0, "captures alive after a cancel during a post of another type on another thread")
        finish.open()
        await post
    }

    package static let anOwnerEndsTheObservation = ConformanceCheck(
        .lifetime,
        "when an owner is deallocated, the observation ends, and the next post releases the observer's closure"
    ) { trial, center in
        let census = Census()
        let journal = Journal<Bool>()
        let token = {
            let owner = Subject()
            let address = ObjectIdentifier(owner)
            let token = center.addObserver(owner, for: Ping.self) { [member = census.member()] me, _ in
                member.touch()
                journal.note(ObjectIdentifier(me) == address)
            }
            center.post(Ping())
            trial.expect(token.isActive, "a token is not active although its owner is alive")
            withExtendedLifetime(owner) {}
            return token
        }()
        trial.expect(!token.isActive, "a token is active although its owner is gone")
        center.post(Ping())
        trial.expect(census.alive, is: 0, "captures alive after the owner was deallocated, and after a post")
        trial.expect(journal.entries, is: [true], "whether each call received the owner")
    }

    package static let registrationReleasesDeadOwnersClosures = ConformanceCheck(
        .lifetime, "after an owner is deallocated, the next registration of the type releases the owner's observers"
    ) { trial, center in
        let census = Census()
        let subject = Subject()
        for _ in 0..<3 {
            let owner = Subject()
            let member = census.member()
            center.addObserver(owner, for: FromSubject.self, sender: subject) { _, _ in member.touch() }
            withExtendedLifetime(owner) {}
        }
        trial.observe(FromSubject.self) { _ in }
        trial.expect(census.alive, is: 0, "captures alive after the owners were deallocated, and after a registration")
        withExtendedLifetime(subject) {}
    }

    package static let aTokenCanEndItBeforeTheOwner = ConformanceCheck(
        .lifetime,
        "cancelling the token of an observer with an owner ends the observation; releasing the token doesn't"
    ) { trial, center in
        let owner = Subject()
        var token: NotificationToken? = center.addObserver(owner, for: Ping.self) { _, _ in }
        token = nil
        trial.expect(center.post(Ping()), is: 1, "observers called after the token was released")
        token = center.addObserver(owner, for: Pong.self) { _, _ in }
        token?.cancel()
        trial.expect(center.post(Pong()), is: 0, "observers called after the token was cancelled")
        trial.expect(token?.isActive == false, "a cancelled token is active")
        withExtendedLifetime(owner) {}
    }

    package static let aCenterCanGoWithObserversInIt = ConformanceCheck(
        .lifetime, "releasing a center releases its observers, and their tokens keep nothing alive"
    ) { trial, _ in
        let census = Census()
        let (owner, subject) = (Subject(), Subject())
        let tokens = {
            let center = trial.anotherCenter()
            return (0..<8).map { number in
                let member = census.member()
                let sender = number.isMultiple(of: 2) ? subject : nil
                return number < 4
                    ? center.addObserver(for: FromSubject.self, sender: sender) { _ in member.touch() }
                    : center.addObserver(owner, for: FromSubject.self, sender: sender) { _, _ in member.touch() }
            }
        }()
        trial.expect(census.alive, is: 0, "captures alive after the center's end")
        trial.expect(tokens.allSatisfy { !$0.isActive }, "a token is active although its center is gone")
        for token in tokens { token.cancel() }
        await tokens[0].cancelAndDrain()
        withExtendedLifetime((owner, subject)) {}
    }

    package static let keepsNoNotifications = ConformanceCheck(
        .lifetime, "a notification is released when its post has ended"
    ) { trial, center in
        let census = Census()
        trial.observe(Carrying<Census.Member>.self) { $0.value.touch() }
        center.post(Carrying(value: census.member()))
        trial.forget()
        trial.expect(census.alive, is: 0, "payloads alive after the post")
    }

    package static let deinitMayUseTheCenter = ConformanceCheck(
        .lifetime, "the `deinit` of a captured object may post, and may add and cancel observers"
    ) { trial, center in
        let journal = Journal<Int>()
        let other = trial.observe(Ping.self) { _ in }
        func token(_ number: Int) -> NotificationToken {
            let last = LastAct {
                center.post(Pong(number: number))
                trial.observe(Ping.self) { _ in }
                other.cancel()
            }
            return center.addObserver(for: Ping.self) { _ in last.touch() }
        }
        trial.observe(Pong.self) { journal.note($0.number) }
        token(1).cancel()
        _ = token(2)
        trial.expect(journal.entries, is: [1, 2], "posts made in a `deinit`")
        trial.expect(center.post(Ping()), is: 2, "observers added in a `deinit`")
    }
}
