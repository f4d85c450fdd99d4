import Tidings

extension ConformanceCheck {
    package static let callsEveryObserverOnce = ConformanceCheck(
        .identity, "a post calls every observer of its type once, and returns the number of observers called"
    ) { trial, center in
        let journal = Journal<Int>()
        trial.expect(center.post(Ping(number: 1)), is: 0, "observers called by a post without observers")
        for _ in 0..<3 { trial.observe(Ping.self) { journal.note($0.number) } }
        trial.expect(center.post(Ping(number: 2)), is: 3, "observers called")
        trial.expect(center.post(Ping(number: 3)), is: 3, "observers called")
        trial.expect(journal.entries, is: [2, 2, 2, 3, 3, 3], "notifications received by observers")
    }

    package static let tellsTypesApart = ConformanceCheck(
        .identity,
        "a post doesn't reach observers of another type with the same name, generic type or superclass"
    ) { trial, center in
        let journal = Journal<String>()
        trial.observe(Ping.self) { _ in journal.note("Ping") }
        trial.observe(Nested.Ping.self) { _ in journal.note("Nested.Ping") }
        trial.observe(Carrying<Int>.self) { _ in journal.note("Carrying<Int>") }
        trial.observe(Carrying<String>.self) { _ in journal.note("Carrying<String>") }
        trial.observe(Namesake.self) { _ in journal.note("Namesake") }
        trial.observe(OtherNamesake.self) { _ in journal.note("OtherNamesake") }
        trial.observe(Vehicle.self) { _ in journal.note("Vehicle") }
        trial.observe(Bicycle.self) { _ in journal.note("Bicycle") }
        let calls = [
            center.post(Ping()), center.post(Nested.Ping()), center.post(Carrying(value: 1)),
            center.post(Carrying(value: "")), center.post(Namesake()), center.post(OtherNamesake()),
            center.post(Bicycle()), center.post(Bicycle() as Vehicle),
        ]
        trial.expect(
            journal.entries,
            is: [
                "Ping", "Nested.Ping", "Carrying<Int>", "Carrying<String>", "Namesake", "OtherNamesake", "Bicycle",
                "Vehicle",
            ], "observers called by one post of each type")
        trial.expect(calls, is: Array(repeating: 1, count: 8), "observers called by each post")
    }

    package static let tellsCentersApart = ConformanceCheck(
        .identity, "a post reaches only the observers of the center to which it is posted"
    ) { trial, center in
        let journal = Journal<String>()
        let other = trial.anotherCenter()
        trial.observe(Ping.self) { _ in journal.note("one") }
        trial.keep(other.addObserver(for: Ping.self) { _ in journal.note("other") })
        center.post(Ping())
        trial.expect(journal.entries, is: ["one"], "observers called in one center")
        other.post(Ping())
        trial.expect(journal.entries, is: ["one", "other"], "observers called in one center, then in the other")
    }
}
