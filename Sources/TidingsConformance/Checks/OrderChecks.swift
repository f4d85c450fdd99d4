import Tidings

extension ConformanceCheck {
    /// Observers run in the order in which they were registered, those of one sender among those of every sender.
    public static let callsInOrderOfRegistration = ConformanceCheck(
        .order,
        "observers run in the order in which they were registered, those of one sender among those of every sender"
    ) { trial in
        let journal = Journal<Int>()
        let subject = Subject()
        for number in 0..<300 {
            let sender = number % 3 == 1 ? subject : nil
            trial.keep(trial.center.addObserver(for: FromSubject.self, sender: sender) { _ in journal.note(number) })
        }
        trial.center.post(FromSubject(sender: subject))
        trial.expect(journal.entries, is: Array(0..<300), "the order of the calls")
    }

    /// The order stays when observers in between end, and whoever is registered again comes last.
    public static let keepsOrderWhenSomeEnd = ConformanceCheck(
        .order, "the order stays when observers in between end, and one that is registered again comes last"
    ) { trial in
        let journal = Journal<Int>()
        var tokens: [Int: NotificationToken] = [:]
        var expected: [Int] = []
        func add(_ number: Int) {
            tokens[number] = trial.center.addObserver(for: Ping.self) { _ in journal.note(number) }
            expected.removeAll { $0 == number }
            expected.append(number)
        }
        for number in 0..<200 { add(number) }
        for number in stride(from: 0, to: 200, by: 3) {
            tokens[number]?.cancel()
            expected.removeAll { $0 == number }
        }
        for number in stride(from: 0, to: 200, by: 5) { add(number) }
        trial.center.post(Ping())
        trial.expect(journal.entries, is: expected, "the order of the calls")
        withExtendedLifetime(tokens) {}
    }

    /// Observers with an owner have their place among those with a token.
    public static let ordersOwnedAndOthersAlike = ConformanceCheck(
        .order, "observers that are tied to an owner have their place among those that are not"
    ) { trial in
        let journal = Journal<Int>()
        let owner = Subject()
        for number in 0..<20 {
            if number.isMultiple(of: 2) {
                trial.center.addObserver(owner, for: Ping.self) { _, _ in journal.note(number) }
            } else {
                trial.keep(trial.center.addObserver(for: Ping.self) { _ in journal.note(number) })
            }
        }
        trial.center.post(Ping())
        trial.expect(journal.entries, is: Array(0..<20), "the order of the calls")
        withExtendedLifetime(owner) {}
    }

    static let orderChecks = [callsInOrderOfRegistration, keepsOrderWhenSomeEnd, ordersOwnedAndOthersAlike]
}
