import Tidings

final class Trial: Sendable {
    let patience: Duration
    let center: any TypedNotificationCenter
    let asynchronously: any AsynchronousObserving

    private let tally = Atomic(0)
    private let make: @Sendable () -> any TypedNotificationCenter
    private let tokens = Lock<[NotificationToken]>([])
    private let found = Lock<[String]>([])

    init(
        patience: Duration, asynchronously: any AsynchronousObserving,
        make: @escaping @Sendable () -> any TypedNotificationCenter
    ) {
        self.patience = patience
        self.asynchronously = asynchronously
        self.make = make
        center = make()
    }

    var violations: [String] { found.withLock { $0 } }

    func anotherCenter() -> any TypedNotificationCenter { make() }

    /// Discards the notifications that some centers keep by design.
    func forget() { (center as? any KeepsNotifications)?.forget() }

    @discardableResult
    func keep(_ token: NotificationToken) -> NotificationToken {
        tokens.withLock { $0.append(token) }
        return token
    }

    /// Cancels the tokens that were kept, to break reference cycles.
    func finish() {
        let tokens = tokens.withLock { tokens in
            defer { tokens = [] }
            return tokens
        }
        for token in tokens { token.cancel() }
    }

    @discardableResult
    func observe<N: TypedNotification>(_ type: N.Type, sender: N.Sender? = nil) -> NotificationToken
    where N.Sender: Sendable {
        keep(center.addObserver(for: type, sender: sender) { [self] _ in tally.wrappingAdd(1, ordering: .relaxed) })
    }

    /// Returns the number of calls of the observers that ``observe(_:sender:)`` has registered.
    func calls<N: TypedNotification>(by notification: N) -> Int {
        let before = tally.load(ordering: .relaxed)
        let said = center.post(notification)
        let calls = tally.load(ordering: .relaxed) - before
        expect(said, is: calls, "number of called observers that a post returned")
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

    /// Records a violation if the gate stays closed.
    func wait(for gate: Gate, _ what: String) async {
        await onThread { [self] in waitHere(for: gate, what) }
    }

    /// Records a violation if the condition never holds.
    func eventually(_ what: String, _ condition: () -> Bool) async {
        let limit = ContinuousClock.now + patience
        while !condition() {
            if ContinuousClock.now > limit { return expect(false, "did not happen: \(what)") }
            await Task.yield()
        }
    }

    func read(_ count: Int, from notes: NotificationSequence<Ping>) async -> [Int] {
        let journal = Journal<Int>()
        let reading = Task {
            for await note in notes { journal.note(note.number) }
        }
        await eventually("the sequence got \(count) notifications") { journal.count >= count }
        reading.cancel()
        await reading.value
        return journal.entries
    }

    func waitHere(for gate: Gate, _ what: String) {
        expect(gate.wait(patience: patience), "did not happen: \(what)")
    }
}
