import Tidings

extension ConformanceCheck {
    package static let callsInOrderOfRegistration = ConformanceCheck(
        .order,
        "observers run in the order of registration, those of one sender among those of every sender"
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

    package static let keepsOrderWhenSomeEnd = ConformanceCheck(
        .order, "the order remains when observers in between end, and an observer that is registered again comes last"
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

    package static let ordersOwnedAndOthersAlike = ConformanceCheck(
        .order, "observers with and without an owner share one order"
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

extension ConformanceCheck {
    package static let asynchronousObserversKeepTheOrder = ConformanceCheck(
        .order, "an actor, the main actor, a task and a sequence receive one poster's notifications in the order posted"
    ) { trial in
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
        let center = trial.center
        let count = 1000
        let actor = Recorder(until: count)
        let (onMain, inTask, inSequence) = (Recorder(until: count), Recorder(until: count), Recorder(until: count))
        center.addObserver(actor, on: .actor, for: Ping.self) { actor, note in actor.record(note.number) }
        trial.keep(center.addObserver(on: .main, for: Ping.self) { onMain.record($0.number) })
        trial.keep(
            center.addObserver(on: .task, for: Ping.self) { note in
                if note.number.isMultiple(of: 100) { await Task.yield() }
                inTask.record(note.number)
            })
        let notes = center.notifications(of: Ping.self)
        let reading = Task {
            for await note in notes { inSequence.record(note.number) }
        }
        for number in 1...count { center.post(Ping(number: number)) }
        for (name, recorder) in [
            ("the actor", actor), ("the main actor", onMain), ("the task", inTask), ("the sequence", inSequence),
        ] {
            await trial.wait(for: recorder.isComplete, "\(name) received all notifications")
            trial.expect(recorder.journal.entries == Array(1...count), "\(name) received them in another order")
        }
        reading.cancel()
        await reading.value
    }

    package static let anAsynchronousObserverNeverOverlapsWithItself = ConformanceCheck(
        .order, "an asynchronous observer never runs concurrently with itself, even if several threads post"
    ) { trial in
        let center = trial.center
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

    static let asynchronousOrderChecks = [
        asynchronousObserversKeepTheOrder, anAsynchronousObserverNeverOverlapsWithItself,
    ]
}

private actor Recorder {
    nonisolated let journal = Journal<Int>()
    nonisolated let isComplete = Gate()
    private let count: Int

    init(until count: Int) { self.count = count }

    nonisolated func record(_ number: Int) {
        journal.note(number)
        if journal.count >= count { isComplete.open() }
    }
}
