import Tidings

extension ConformanceCheck {
    package static let objectsMatchByIdentity = ConformanceCheck(
        .senders, "objects match by identity, even if they are `Hashable` or the sender type is a protocol or optional"
    ) { trial, _ in
        let (subject, twin) = (Subject(), Twin())
        trial.observe(FromSubject.self, sender: subject)
        trial.observe(FromTwin.self, sender: twin)
        trial.observe(FromTitled.self, sender: subject)
        trial.observe(FromTitled.self, sender: twin)
        trial.observe(FromAny.self, sender: subject)
        trial.observe(FromAny.self, sender: twin)
        func calls(_ subject: Subject, _ twin: Twin) -> [Int] {
            [
                trial.calls(by: FromSubject(sender: subject)), trial.calls(by: FromTwin(sender: twin)),
                trial.calls(by: FromTitled(sender: subject)), trial.calls(by: FromTitled(sender: twin)),
                trial.calls(by: FromAny(sender: subject)), trial.calls(by: FromAny(sender: twin)),
            ]
        }
        trial.expect(calls(subject, twin), is: [1, 1, 1, 1, 1, 1], "observers of an object called by its own posts")
        trial.expect(
            calls(Subject(), Twin()), is: [0, 0, 0, 0, 0, 0], "observers of an object called by another's posts")
        withExtendedLifetime((subject, twin)) {}
    }

    package static let valuesMatchByEquality = ConformanceCheck(
        .senders, "`Hashable` values match by equality, after optionals are unwrapped; other values never match"
    ) { trial, _ in
        let long = "a sender that is too long to be stored inline"
        trial.observe(FromValue.self, sender: long)
        trial.observe(FromAny.self, sender: long)
        trial.observe(FromOptional.self, sender: 1)
        trial.observe(FromShapeless.self, sender: Shapeless())
        trial.observe(Ping.self, sender: ())
        let equal = [
            trial.calls(by: FromValue(sender: String(long.reversed().reversed()))),
            trial.calls(by: FromAny(sender: String(long.reversed().reversed()))),
            trial.calls(by: FromOptional(sender: 1)),
            trial.calls(by: Ping()),
        ]
        trial.expect(equal, is: [1, 1, 1, 1], "observers of a value called by posts of an equal value")
        let unequal = [
            trial.calls(by: FromValue(sender: "")), trial.calls(by: FromAny(sender: "")),
            trial.calls(by: FromAny(sender: 1)),
            trial.calls(by: FromOptional(sender: 2)), trial.calls(by: FromOptional(sender: .some(nil))),
            trial.calls(by: FromShapeless(sender: Shapeless())),
        ]
        trial.expect(unequal, is: [0, 0, 0, 0, 0, 0], "observers of a value called for other senders")
    }

    package static let valuesMatchOnEveryThread = ConformanceCheck(
        .senders, "equal values match, whether the registration and the post are made on or off the main actor"
    ) { trial, _ in
        await MainActor.run { observeValues(1, trial) }
        await onThread { expectValues(1, trial, "registered on the main actor and posted off it") }
        await onThread { observeValues(2, trial) }
        await MainActor.run { expectValues(2, trial, "registered off the main actor and posted on it") }
    }

    private static func observeValues(_ number: Int, _ trial: Trial) {
        trial.observe(FromItem.self, sender: Item(number: number))
        trial.observe(FromAny.self, sender: Item(number: number))
        trial.observe(FromOptional.self, sender: number)
    }

    private static func expectValues(_ number: Int, _ trial: Trial, _ place: String) {
        func calls(_ number: Int) -> [Int] {
            let item = Item(number: number)
            return [
                trial.calls(by: FromItem(sender: item)), trial.calls(by: FromAny(sender: item)),
                trial.calls(by: FromOptional(sender: number)),
            ]
        }
        trial.expect(calls(number), is: [1, 1, 1], "observers called by posts of an equal value, \(place)")
        trial.expect(calls(-number), is: [0, 0, 0], "observers called by posts of other values, \(place)")
    }

    package static let valuesOfTheMainActorMatchThere = ConformanceCheck(
        .senders,
        "a value whose Hashable conformance is isolated to the main actor matches in a main-actor notification"
    ) { @MainActor trial, center in
        let journal = Journal<Int>()
        for number in 1...2 {
            trial.keep(
                center.addObserver(for: RowChanged.self, sender: Row(number: number)) { _ in journal.note(number) })
        }
        let calls = (0...3).map { center.post(RowChanged(sender: Row(number: $0))) }
        trial.expect(calls, is: [0, 1, 1, 0], "observers of a value called by posts of each value")
        trial.expect(journal.entries, is: [1, 2], "calls")
    }

    package static let nilFiltersNothing = ConformanceCheck(
        .senders,
        "observers without a sender receive every post; a post from nil reaches no other observers"
    ) { trial, _ in
        let subject = Subject()
        trial.observe(FromAny.self)
        trial.observe(FromAny.self, sender: .some(nil))
        trial.observe(FromAny.self, sender: subject)
        trial.observe(FromAny.self, sender: 1)
        trial.expect(trial.calls(by: FromAny(sender: nil)), is: 2, "observers called by a post from nil")
        trial.expect(trial.calls(by: FromAny(sender: subject)), is: 3, "observers called by a post from an object")
        trial.expect(trial.calls(by: FromAny(sender: 1)), is: 3, "observers called by a post from a value")
        trial.expect(trial.calls(by: FromAny(sender: 2)), is: 2, "observers called by a post from another value")
        trial.observe(FromShapeless.self)
        trial.expect(
            trial.calls(by: FromShapeless(sender: Shapeless())), is: 1,
            "observers called by a post from a value that is neither an object nor Hashable")
    }

    package static let sendersAreHeldWeakly = ConformanceCheck(
        .senders, "observers and posts hold a sender weakly, and the deallocation of the sender ends the observation"
    ) { trial, center in
        let census = Census()
        let token = {
            let member = census.member()
            let token = trial.observe(FromMember.self, sender: member)
            center.post(FromMember(sender: member))
            trial.expect(token.isActive, "a token is not active although its sender is alive")
            return token
        }()
        trial.forget()
        trial.expect(census.alive, is: 0, "senders alive after their last use")
        trial.expect(!token.isActive, "a token is active although its sender is gone")
    }

    package static let aRecycledAddressDoesNotMatch = ConformanceCheck(
        .senders, "a new object at the address of a deallocated sender never matches"
    ) { trial, _ in
        var calls = 0
        for _ in 0..<1000 {
            trial.observe(FromSubject.self, sender: Subject())
            calls += trial.calls(by: FromSubject(sender: Subject()))
        }
        trial.expect(calls, is: 0, "observers of dead senders called")
    }
}

private struct FromMember: TypedNotification { let sender: Census.Member }

private struct Item: Hashable, Sendable { let number: Int }
private struct FromItem: TypedNotification { let sender: Item }

private struct Row: @MainActor Hashable {
    let number: Int
    @MainActor static func == (lhs: Row, rhs: Row) -> Bool { lhs.number == rhs.number }
    @MainActor func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
private struct RowChanged: MainActorNotification { let sender: Row }
