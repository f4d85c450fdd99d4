import Testing
import Tidings
import TidingsTesting

private final class Counts: Sendable {
    let comparisons = Atomic(0)
    let hashes = Atomic(0)
}

/// A sender that has the same hash as all other senders of this type.
private struct Crowded: Hashable, Sendable {
    let number: Double
    let counts: Counts

    static func == (lhs: Crowded, rhs: Crowded) -> Bool {
        lhs.counts.comparisons.wrappingAdd(1, ordering: .relaxed)
        return lhs.number == rhs.number
    }

    func hash(into hasher: inout Hasher) {
        counts.hashes.wrappingAdd(1, ordering: .relaxed)
        hasher.combine(0)
    }
}

private struct Moved: TypedNotification { let sender: Crowded }
private struct Anything: TypedNotification { let sender: any Sendable }

@Suite(.timeLimit(.minutes(2))) struct EqualHashTests {
    @Test func `a sender is compared once with each sender of the same hash`() {
        let counts = Counts()
        let center = NativeNotificationCenter()
        let count = 1000
        var tokens: [NotificationToken] = []
        for number in 0..<count {
            let sender = Crowded(number: Double(number), counts: counts)
            center.addObserver(for: Moved.self, sender: sender) { _ in }.store(in: &tokens)
        }
        // Each sender is compared with the existing ones and with itself.
        #expect(counts.comparisons.load(ordering: .relaxed) <= count * (count - 1) / 2 + count)
        #expect(counts.hashes.load(ordering: .relaxed) == count)
        #expect(center.post(Moved(sender: Crowded(number: 500, counts: counts))) == 1)
        withExtendedLifetime(tokens) {}
    }

    @Test func `a sender that does not equal itself is compared only with itself, and equals no sender`() {
        let counts = Counts()
        let center = NativeNotificationCenter()
        let count = 1000
        var tokens: [NotificationToken] = []
        for _ in 0..<count {
            let sender = Crowded(number: .nan, counts: counts)
            center.addObserver(for: Moved.self, sender: sender) { _ in }.store(in: &tokens)
        }
        #expect(counts.comparisons.load(ordering: .relaxed) == count)
        #expect(center.post(Moved(sender: Crowded(number: .nan, counts: counts))) == 0)
        withExtendedLifetime(tokens) {}
    }

    @Test func `promise 7, senders: equal numbers of different types are different senders`() {
        let center = NativeNotificationCenter()
        let token = center.addObserver(for: Anything.self, sender: 1) { _ in }
        #expect(center.post(Anything(sender: 1)) == 1)
        #expect(center.post(Anything(sender: 1.0)) == 0)
        #expect(center.post(Anything(sender: UInt8(1))) == 0)
        #expect(center.post(Anything(sender: true)) == 0)
        withExtendedLifetime(token) {}
    }
}

private struct Measured: TypedNotification { let sender: Double? }
private struct Named: TypedNotification { let sender: String }
private struct NamedBy<Name: Sendable>: TypedNotification { let sender: Name }

@Suite(.timeLimit(.minutes(2))) struct OddSenderTests {
    @Test func `promise 7, senders: a value that does not equal itself does not affect other values of its type`() {
        let center = NativeNotificationCenter()
        let tokens = [
            center.addObserver(for: Measured.self, sender: .nan) { _ in },
            center.addObserver(for: Measured.self, sender: 1) { _ in },
        ]
        #expect(center.post(Measured(sender: 1)) == 1)
        #expect(center.post(Measured(sender: .nan)) == 0)
        #expect(center.post(Measured(sender: 2)) == 0)
        withExtendedLifetime(tokens) {}
    }

    @Test func `promise 7, senders: a sender filter created for one notification type works for another type`() {
        let center = NativeNotificationCenter()
        let place = ObserverRegistration(fileID: #fileID, line: #line)
        let handles = [
            center.observe(Named.self, sender: SenderFilter("a", of: NamedBy<String>.self), registration: place) { _ in
            },
            center.observe(NamedBy<String>.self, sender: SenderFilter("a", of: Named.self), registration: place) { _ in
            },
        ]
        #expect(center.post(Named(sender: "a")) == 1 && center.post(Named(sender: "b")) == 0)
        #expect(center.post(NamedBy(sender: "a")) == 1 && center.post(NamedBy(sender: "b")) == 0)
        for handle in handles { handle.cancel() }
    }

    @Test func `promise 3, membership: an observer that is added while a sender is compared waits for the next post`() {
        let center = NativeNotificationCenter()
        let posting = AddingWhileCompared(center)
        #expect(posting.post() == 1)
        #expect(posting.addedCount == 2)
        #expect(center.post(Added(sender: Adding {})) == 3)
        withExtendedLifetime(posting) {}
    }

    @Test func `promise 3, membership: an observer that is added during a deeply nested post waits for the next post`()
    {
        let center = NativeNotificationCenter()
        let posting = AddingWhileCompared(center)
        let calls = Atomic(0)
        // The engine records up to 64 running posts in lanes, so the innermost of 80 nested posts has no lane.
        let depth = 80
        let nesting = center.addObserver(for: Nested.self) { note in
            if note.depth < depth { center.post(Nested(depth: note.depth + 1)) }
        }
        let innermost = center.addObserver(for: Innermost.self) { _ in
            calls.store(posting.post(), ordering: .relaxed)
        }
        let last = center.addObserver(for: Nested.self) { note in
            if note.depth == depth { center.post(Innermost()) }
        }
        center.post(Nested(depth: 1))
        #expect(calls.load(ordering: .relaxed) == 1)
        #expect(posting.addedCount == 2)
        #expect(center.post(Added(sender: Adding {})) == 3)
        withExtendedLifetime((posting, nesting, innermost, last)) {}
    }
}

private final class AddingWhileCompared: Sendable {
    private let center: NativeNotificationCenter
    private let token: NotificationToken
    private let added = Lock<[NotificationToken]>([])
    private let isArmed = AtomicByte(false)

    init(_ center: NativeNotificationCenter) {
        self.center = center
        token = center.addObserver(for: Added.self, sender: Adding {}) { _ in }
    }

    var addedCount: Int { added.withLock { $0.count } }

    func post() -> Int {
        let sender = Adding { [self] in
            guard isArmed.exchange(false, ordering: .relaxed) else { return }
            let tokens = [
                center.addObserver(for: Added.self) { _ in },
                center.addObserver(for: Added.self, sender: Adding {}) { _ in },
            ]
            added.withLock { $0 = tokens }
        }
        isArmed.store(true, ordering: .relaxed)
        return center.post(Added(sender: sender))
    }
}

private struct Nested: TypedNotification { let depth: Int }
private struct Innermost: TypedNotification {}

private struct Adding: Hashable, Sendable {
    let act: @Sendable () -> Void

    init(_ act: @escaping @Sendable () -> Void) { self.act = act }

    static func == (lhs: Adding, rhs: Adding) -> Bool {
        lhs.act()
        rhs.act()
        return true
    }

    func hash(into hasher: inout Hasher) {}
}

private struct Added: TypedNotification { let sender: Adding }
