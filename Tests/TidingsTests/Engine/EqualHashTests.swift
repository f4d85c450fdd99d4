import Synchronization
import Testing
import Tidings

/// Counts how often senders are compared and hashed.
private final class Counts: Sendable {
    let comparisons = Atomic(0)
    let hashes = Atomic(0)
}

/// A sender whose hash is that of every other.
private struct Crowded: Hashable, Sendable {
    let number: Double
    let counts: Counts

    static func == (lhs: Crowded, rhs: Crowded) -> Bool {
        lhs.counts.comparisons.add(1, ordering: .relaxed)
        return lhs.number == rhs.number
    }

    func hash(into hasher: inout Hasher) {
        counts.hashes.add(1, ordering: .relaxed)
        hasher.combine(0)
    }
}

private struct Moved: TypedNotification { let sender: Crowded }
private struct Anything: TypedNotification { let sender: any Sendable }

@Suite struct EqualHashTests {
    @Test func `a sender is compared once with each that has its hash`() {
        let counts = Counts()
        let center = NativeNotificationCenter()
        let count = 1000
        var tokens: [NotificationToken] = []
        for number in 0..<count {
            let sender = Crowded(number: Double(number), counts: counts)
            center.addObserver(for: Moved.self, sender: sender) { _ in }.store(in: &tokens)
        }
        // With each that was there, and with itself.
        #expect(counts.comparisons.load(ordering: .relaxed) <= count * (count - 1) / 2 + count)
        #expect(counts.hashes.load(ordering: .relaxed) == count)
        #expect(center.post(Moved(sender: Crowded(number: 500, counts: counts))) == 1)
        withExtendedLifetime(tokens) {}
    }

    @Test func `a sender that does not equal itself equals no other, and is compared with none`() {
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
