import Tidings

final class Trial: Sendable {
    let patience: Duration
    let center: any TypedNotificationCenter
    let asynchronously: any AsynchronousObserving
    let anotherCenter: @Sendable () -> any TypedNotificationCenter

    private let tally = Atomic(0)
    private let tokens = TokenBox()
    private let found = Lock<[String]>([])

    init(
        patience: Duration, asynchronously: any AsynchronousObserving,
        make: @escaping @Sendable () -> any TypedNotificationCenter
    ) {
        self.patience = patience
        self.asynchronously = asynchronously
        anotherCenter = make
        center = make()
    }

    var violations: [String] { found.withLock { $0 } }

    /// If the center stores notifications by design, like a recording center, discards them.
    func forget() { (center as? any KeepsNotifications)?.forget() }

    @discardableResult
    func keep(_ token: NotificationToken) -> NotificationToken {
        tokens.put(token)
        return token
    }

    /// Cancels the tokens that were kept, to break reference cycles.
    func finish() {
        for token in tokens.takeAll() { token.cancel() }
    }

    @discardableResult
    func observe<N: TypedNotification>(
        _ type: N.Type, sender: N.Sender? = nil, where condition: (@Sendable (N) -> Bool)? = nil,
        using observer: @escaping @Sendable (N) -> Void
    ) -> NotificationToken where N.Sender: Sendable {
        keep(center.addObserver(for: type, sender: sender, where: condition, using: observer))
    }

    @discardableResult
    func observe<N: TypedNotification>(_ type: N.Type, sender: N.Sender? = nil) -> NotificationToken
    where N.Sender: Sendable {
        observe(type, sender: sender) { [self] _ in tally.wrappingAdd(1, ordering: .relaxed) }
    }

    /// Posts a notification, and returns the number of calls of observers that ``observe(_:sender:)`` has registered.
    func calls<N: TypedNotification>(by notification: N) -> Int {
        let before = tally.load(ordering: .relaxed)
        let said = center.post(notification)
        let calls = tally.load(ordering: .relaxed) - before
        expect(said, is: calls, "number of observers that a post returned")
        return calls
    }

    func expect(_ condition: Bool, _ otherwise: @autoclosure () -> String) {
        if condition { return }
        let violation = otherwise()
        found.withLock { $0.append(violation) }
    }

    func expect<Value: Equatable>(_ value: Value, is expected: Value, _ what: String) {
        expect(value == expected, "\(what): expected \(expected), found \(value)")
    }

    func wait(for gate: Gate, _ what: String) async {
        await onThread { [self] in waitHere(for: gate, what) }
    }

    func eventually(_ what: String, _ condition: () -> Bool) async {
        await eventually(what, { condition() ? 1 : 0 }, reaches: 1)
    }

    /// Records a violation if `number` stays below `expected`. Each change of the number restarts the time limit,
    /// because a slow machine may need a long time for many notifications. Returns early if the task is cancelled.
    func eventually(_ what: String, _ number: () -> Int, reaches expected: Int) async {
        var (last, since, polls) = (Int.min, ContinuousClock.now, 0)
        while !Task.isCancelled {
            let number = number()
            if number >= expected { return }
            if number != last {
                (last, since) = (number, .now)
            } else if since + patience < .now {
                return expect(false, "did not happen: \(what)")
            }
            polls += 1
            // A condition that doesn't hold soon is polled slowly, to leave the processor to the center.
            if polls < 100 { await Task.yield() } else { try? await Task.sleep(for: .milliseconds(1)) }
        }
    }

    /// Reads until the sequence has returned `count` notifications or ended. Records a violation if it does neither.
    @discardableResult
    func read<Note: Sendable>(
        _ count: Int = .max, from notes: NotificationSequence<Note>, _ what: String
    ) async -> [Note] {
        let (journal, ended) = (Journal<Note>(), Gate())
        let reading = Task {
            for await note in notes { journal.note(note) }
            ended.open()
        }
        // Without a count, progress doesn't restart the limit: a faulty center may repeat notifications forever.
        if count == .max {
            await eventually(what) { ended.isOpen }
        } else {
            await eventually(what, { ended.isOpen ? count : journal.count }, reaches: count)
        }
        reading.cancel()
        await reading.value
        return journal.entries
    }

    func waitHere(for gate: Gate, _ what: String) { expect(gate.wait(patience: patience), "did not happen: \(what)") }
}
