import Tidings

extension ConformanceCheck {
    package static let callsInOrderOfRegistration = ConformanceCheck(
        .order, "observers run in the order of registration, whether or not they observe only one sender"
    ) { trial, center in
        let journal = Journal<Int>()
        let subject = Subject()
        for number in 0..<300 {
            let sender = number % 3 == 1 ? subject : nil
            trial.observe(FromSubject.self, sender: sender) { _ in journal.note(number) }
        }
        center.post(FromSubject(sender: subject))
        trial.expect(journal.entries, is: Array(0..<300), "the order of the calls")
    }

    package static let keepsOrderWhenSomeEnd = ConformanceCheck(
        .order, "when observers end, the others keep their order; an observer that is registered again is called last"
    ) { trial, center in
        let journal = Journal<Int>()
        var tokens: [Int: NotificationToken] = [:]
        var expected: [Int] = []
        func add(_ number: Int) {
            tokens[number] = center.addObserver(for: Ping.self) { _ in journal.note(number) }
            expected.removeAll { $0 == number }
            expected.append(number)
        }
        for number in 0..<200 { add(number) }
        for number in stride(from: 0, to: 200, by: 3) {
            tokens[number]?.cancel()
            expected.removeAll { $0 == number }
        }
        for number in stride(from: 0, to: 200, by: 5) { add(number) }
        center.post(Ping())
        trial.expect(journal.entries, is: expected, "the order of the calls")
        withExtendedLifetime(tokens) {}
    }

    package static let ordersOwnedAndOthersAlike = ConformanceCheck(
        .order, "observers with and without an owner share one order"
    ) { trial, center in
        let journal = Journal<Int>()
        let owner = Subject()
        for number in 0..<20 {
            if number.isMultiple(of: 2) {
                center.addObserver(owner, for: Ping.self) { _, _ in journal.note(number) }
            } else {
                trial.observe(Ping.self) { _ in journal.note(number) }
            }
        }
        center.post(Ping())
        trial.expect(journal.entries, is: Array(0..<20), "the order of the calls")
        withExtendedLifetime(owner) {}
    }

    package static let asynchronousObserversKeepTheOrder = ConformanceCheck(
        .order, "an actor, the main actor, a task and a sequence receive the posts of one thread in the order posted"
    ) { trial, center in
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
        let actor = Recorder()
        let (onMain, inTask) = (Journal<Int>(), Journal<Int>())
        center.addObserver(actor, on: .actor, for: Ping.self) { actor, note in actor.journal.note(note.number) }
        trial.keep(center.addObserver(on: .main, for: Ping.self) { onMain.note($0.number) })
        trial.keep(
            center.addObserver(on: .task, for: Ping.self) { note in
                if note.number.isMultiple(of: 100) { await Task.yield() }
                inTask.note(note.number)
            })
        let notes = center.notifications(of: Ping.self)
        async let received = trial.read(1000, from: notes, "the sequence received all notifications")
        let numbers = Array(1...1000)
        for number in numbers { center.post(Ping(number: number)) }
        for (name, journal) in [("the actor", actor.journal), ("the main actor", onMain), ("the task", inTask)] {
            await trial.eventually("\(name) received all notifications", { journal.count }, reaches: 1000)
            trial.expect(journal.entries == numbers, "\(name) received notifications in another order")
        }
        trial.expect(await received.map(\.number) == numbers, "the sequence received notifications in another order")
    }

    package static let anAsynchronousObserverNeverOverlapsWithItself = ConformanceCheck(
        .order, "an asynchronous observer never runs concurrently with itself, even if several threads post"
    ) { trial, center in
        let running = Atomic(0)
        let calls = Atomic(0)
        let done = Gate()
        trial.keep(
            trial.asynchronously.observeInTask(Ping.self, in: center) { _ in
                let number = running.wrappingAdd(1, ordering: .relaxed).newValue
                trial.expect(number == 1, "the observer overlaps with itself")
                await Task.yield()
                running.wrappingSubtract(1, ordering: .relaxed)
                if calls.wrappingAdd(1, ordering: .relaxed).newValue == 200 { done.open() }
            })
        await onThreads(4) { _ in
            for number in 0..<50 { center.post(Ping(number: number)) }
        }
        await trial.wait(for: done, "every notification arrived")
    }
}

private actor Recorder {
    nonisolated let journal = Journal<Int>()
}
