import TestSupport
import Testing
import Tidings
import TidingsTesting

private final class Source: Sendable {}
private struct Changed: TypedNotification {
    let sender: Source
    var depth = 0
}

@Suite(.timeLimit(.minutes(2))) struct EngineTests {
    @Test func `observers with and without a sender run in the order of registration`() {
        let center = NativeNotificationCenter()
        let received = ReceivedValues<Int>()
        let sources = [Source(), Source()]
        var tokens: [NotificationToken] = []
        for index in 0..<400 {
            let sender = index % 3 == 0 ? nil : sources[index % 3 - 1]
            center.addObserver(for: Changed.self, sender: sender) { _ in received.append(index) }.store(in: &tokens)
        }
        let reached = (0..<400).filter { $0 % 3 != 2 }
        #expect(center.post(Changed(sender: sources[0])) == reached.count)
        #expect(received.values == reached)
    }

    @Test func `nested posts reach all observers in order, even 200 levels deep`() {
        let center = NativeNotificationCenter()
        let received = ReceivedValues<Int>()
        let source = Source()
        let depth = 200
        let tokens = [
            center.addObserver(for: Changed.self) { note in
                if note.depth < depth { center.post(Changed(sender: note.sender, depth: note.depth + 1)) }
            },
            center.addObserver(for: Changed.self, sender: source) { _ in received.append(1) },
            center.addObserver(for: Changed.self) { _ in received.append(2) },
        ]
        #expect(center.post(Changed(sender: source)) == 3)
        #expect(received.values == (0...depth).flatMap { _ in [1, 2] })
        withExtendedLifetime(tokens) {}
    }

    @Test func `the remaining observers are called in order after thousands of others were added and cancelled`() {
        let center = NativeNotificationCenter()
        let received = ReceivedValues<Int>()
        var tokens: [NotificationToken?] = []
        for index in 0..<5_000 {
            tokens.append(center.addObserver(for: Changed.self) { _ in received.append(index) })
            if index % 7 != 0 { tokens[index] = nil }
        }
        for index in stride(from: 0, to: 5_000, by: 14) { tokens[index] = nil }
        center.post(Changed(sender: Source()))
        #expect(received.values == (0..<5_000).filter { $0 % 7 == 0 && $0 % 14 != 0 })
    }

    @Test func `captures of a cancelled observer are released when the last post that may call it ends`() {
        let center = NativeNotificationCenter()
        let source = Source()
        weak var captured: Source?
        var tokens: [NotificationToken] = []
        let isReleasedDuring = ReceivedValues<Bool>()
        let later = Lock<NotificationToken?>(nil)
        center.addObserver(for: Changed.self) { _ in
            later.withLock { $0 }?.cancel()
        }.store(in: &tokens)
        do {
            let object = Source()
            captured = object
            let token = center.addObserver(for: Changed.self) { _ in withExtendedLifetime(object) {} }
            later.withLock { $0 = token }
        }
        let box = WeakBox(captured)
        center.addObserver(for: Changed.self) { _ in isReleasedDuring.append(box.object == nil) }.store(in: &tokens)
        #expect(center.post(Changed(sender: source)) == 2)
        #expect(isReleasedDuring.values == [false])
        #expect(captured == nil)
    }
}

private final class WeakBox: Sendable {
    weak let object: Source?
    init(_ object: Source?) { self.object = object }
}
