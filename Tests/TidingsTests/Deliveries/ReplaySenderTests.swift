import TestSupport
import Testing
import Tidings
import TidingsTesting

private struct Crowded: Hashable, Sendable {
    let number: Double
    let act: @Sendable () -> Void

    init(_ number: Double, comparing act: @escaping @Sendable () -> Void = {}) {
        self.number = number
        self.act = act
    }

    static func == (lhs: Crowded, rhs: Crowded) -> Bool {
        lhs.act()
        rhs.act()
        return lhs.number == rhs.number
    }

    func hash(into hasher: inout Hasher) {}
}

private struct Moved: TypedNotification, Sendable {
    static var replay: NotificationReplay { .latest(of: Self.self) }
    let sender: Crowded
    var number = 0
    var held: Captured?
}

private struct Written: TypedNotification, Sendable {
    static let replay = NotificationReplay.latest(
        keeping: { (note: Written) in note.lines }, making: { Written(sender: $0, lines: $1) })
    let sender: String
    var lines: [String] = []
}

private struct Watched: TypedNotification, Sendable {
    static var replay: NotificationReplay { .latest(of: Self.self) }
    weak var sender: Account?
    var number = 0
}

private struct Framed: MainActorNotification, Sendable {
    static var replay: NotificationReplay { .latest(of: Self.self) }
    weak var sender: Account?
    var held: Captured?
}

@Suite(.timeLimit(.minutes(2))) struct ReplaySenderTests {
    private let center = NativeNotificationCenter()
    private let numbers = ReceivedValues<Int>()
    private let tokens = Tokens()

    private func latest(_ sender: Double) -> Int? { center.latest(of: Moved.self, sender: Crowded(sender))?.number }

    @Test func `the latest notifications of senders with equal hash values are kept separately`() {
        for number in 1...3 { center.post(Moved(sender: Crowded(Double(number)), number: number)) }
        center.post(Moved(sender: Crowded(2), number: 20))
        #expect((1...4).map { latest(Double($0)) } == [1, 20, 3, nil])
        for sender in [3.0, 4, 2] {
            tokens.append(
                center.addObserver(for: Moved.self, sender: Crowded(sender)) { [numbers] in numbers.append($0.number) })
        }
        #expect(numbers.values == [3, 20])
        #expect(center.post(Moved(sender: Crowded(4), number: 4)) == 1)
        #expect(numbers.values == [3, 20, 4] && latest(4) == 4)
    }

    @Test func `a sender that does not equal itself has no latest notification of its own`() {
        var held: Captured? = Captured()
        weak let released = held
        center.post(Moved(sender: Crowded(1), number: 1))
        center.post(Moved(sender: Crowded(.nan), number: 3, held: held))
        held = nil
        #expect(released != nil)
        center.post(Moved(sender: Crowded(.nan), number: 2))
        #expect(latest(.nan) == nil)
        #expect(center.latest(of: Moved.self)?.number == 2)
        #expect(released == nil, "the later post replaces the notification")
        tokens.append(
            center.addObserver(for: Moved.self, sender: Crowded(.nan)) { [numbers] in numbers.append($0.number) })
        tokens.append(center.addObserver(for: Moved.self) { [numbers] in numbers.append($0.number) })
        #expect(numbers.values == [2])
    }

    @Test func `if a sender posts while it is compared in a post, the outer post's notification is the latest`() {
        let isArmed = AtomicByte(true)
        center.post(Moved(sender: Crowded(1), number: 1))
        // The posts during the comparison add senders with the same hash. The center keeps this sender, so a strong
        // reference to the center would be a cycle.
        let posting = Crowded(2) { [unowned center] in
            guard isArmed.exchange(false, ordering: .relaxed) else { return }
            center.post(Moved(sender: Crowded(3), number: 3))
            center.post(Moved(sender: Crowded(2), number: 2))
        }
        center.post(Moved(sender: posting, number: 20))
        let wasCompared = !isArmed.load(ordering: .relaxed)
        #expect(wasCompared)
        #expect((1...3).map { latest(Double($0)) } == [1, 20, 3])
        #expect(center.latest(of: Moved.self)?.number == 20)
    }

    @Test func `if a sender posts while it is compared, reading its latest notification returns the new one`() {
        let center = center
        let isArmed = AtomicByte(true)
        center.post(Moved(sender: Crowded(1), number: 1))
        let posting = Crowded(2) {
            guard isArmed.exchange(false, ordering: .relaxed) else { return }
            center.post(Moved(sender: Crowded(2), number: 2))
        }
        #expect(center.latest(of: Moved.self, sender: posting)?.number == 2)
    }

    @Test func `a notification that is stored without its sender is created again with the sender`() {
        center.post(Written(sender: "a", lines: ["one"]))
        center.post(Written(sender: "b", lines: ["two"]))
        let received = ReceivedValues<String>()
        for sender in ["a", "b", nil] {
            tokens.append(
                center.addObserver(for: Written.self, sender: sender) { received.append($0.sender + " " + $0.lines[0]) }
            )
        }
        #expect(received.values == ["a one", "b two", "b two"])
        #expect(center.latest(of: Written.self, sender: "a")?.sender == "a")
    }

    @Test func `an observer of an object receives only that object's latest notification and later posts`() {
        let (account, other) = (Account(), Account())
        center.post(Watched(sender: account, number: 1))
        center.post(Watched(sender: other, number: 2))
        tokens.append(center.addObserver(for: Watched.self, sender: account) { [numbers] in numbers.append($0.number) })
        for number in 3...5 {
            #expect(center.post(Watched(sender: account, number: number)) == 1)
            #expect(center.post(Watched(sender: other, number: -number)) == 0)
            #expect(center.post(Watched(sender: nil, number: -number)) == 0)
        }
        #expect(numbers.values == [1, 3, 4, 5])
        #expect(center.latest(of: Watched.self, sender: other)?.number == -5)
    }

    @MainActor
    @Test func `a registration for a main-actor type releases the notification of a deallocated sender`() async {
        let living = Account()
        var account: Account? = Account()
        var held: Captured? = Captured()
        weak let content = held
        center.post(Framed(sender: account, held: held))
        center.post(Framed(sender: living))
        (account, held) = (nil, nil)
        #expect(content != nil)
        tokens.append(center.addObserver(for: Framed.self) { _ in })
        await eventually("the notification is released") { content == nil }
        withExtendedLifetime(living) {}
    }
}
