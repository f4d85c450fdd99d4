import TestSupport
import Testing
import Tidings
import TidingsTesting

private struct Key: Hashable, Sendable {
    let name: String
    let meddle: Meddler

    static func == (lhs: Key, rhs: Key) -> Bool {
        lhs.meddle.run()
        return lhs.name == rhs.name
    }

    func hash(into hasher: inout Hasher) {
        meddle.run()
        // All keys have the same hash value, so that they are compared.
        hasher.combine(0)
    }
}

private struct Edited: TypedNotification {
    let sender: Key
    var depth = 0
}

private final class Meddler: Sendable {
    private let center: NativeNotificationCenter
    private let isBusy = Lock(false)

    init(_ center: NativeNotificationCenter) { self.center = center }

    func run() {
        let wasBusy = isBusy.withLock { isBusy in
            defer { isBusy = true }
            return isBusy
        }
        if wasBusy { return }
        let key = Key(name: "in between", meddle: self)
        let token = center.addObserver(for: Edited.self, sender: key) { _ in }
        center.post(Edited(sender: key, depth: .max))
        token.cancel()
        isBusy.withLock { $0 = false }
    }
}

@Suite(.timeLimit(.minutes(2))) struct ValueSenderTests {
    @Test func `a sender may use the center while it is hashed and compared`() {
        let center = NativeNotificationCenter()
        let meddler = Meddler(center)
        let received = ReceivedValues<String>()
        let names = ["a", "b", "a", "c", "b", "a"]
        var tokens: [NotificationToken] = []
        for name in names {
            let key = Key(name: name, meddle: meddler)
            center.addObserver(for: Edited.self, sender: key) { _ in received.append(name) }.store(in: &tokens)
        }
        #expect(center.post(Edited(sender: Key(name: "a", meddle: meddler))) == 3)
        tokens[0].cancel()
        #expect(center.post(Edited(sender: Key(name: "a", meddle: meddler))) == 2)
        #expect(center.post(Edited(sender: Key(name: "c", meddle: meddler))) == 1)
        #expect(received.values == ["a", "a", "a", "a", "a", "c"])
    }

    @Test func `a sender may use the center while a post compares it, even in deeply nested posts`() {
        let center = NativeNotificationCenter()
        let meddler = Meddler(center)
        let received = ReceivedValues<Int>()
        let key = Key(name: "a", meddle: meddler)
        let depth = 80
        let tokens = [
            center.addObserver(for: Edited.self) { note in
                if note.depth < depth { center.post(Edited(sender: note.sender, depth: note.depth + 1)) }
            },
            center.addObserver(for: Edited.self, sender: key) { note in received.append(note.depth) },
        ]
        #expect(center.post(Edited(sender: key)) == 2)
        #expect(received.values == (0...depth).reversed())
        withExtendedLifetime(tokens) {}
    }

    @Test(arguments: [false, true])
    func `a post accesses its sender only if an observer is limited to a sender, even in deeply nested posts`(
        isMonitored: Bool
    ) {
        let center = NativeNotificationCenter()
        let attachment = isMonitored ? center.attach(RecordingMonitor()) : nil
        let key = Watched(uses: ReceivedValues())
        let depth = 80
        let token = center.addObserver(for: Moved.self) { note in
            if note.depth < depth { center.post(Moved(sender: note.sender, depth: note.depth + 1)) }
        }
        #expect(center.post(Moved(sender: key)) == 1)
        #expect(center.statistics[Moved.self]?.deliveries == depth + 1)
        #expect(key.uses.values == [])
        let limited = center.addObserver(for: Moved.self, sender: key) { _ in }
        #expect(center.post(Moved(sender: key)) == 2)
        #expect(!key.uses.values.isEmpty)
        withExtendedLifetime((token, limited, attachment)) {}
    }
}

private struct Watched: Hashable, Sendable {
    let uses: ReceivedValues<String>

    static func == (lhs: Watched, rhs: Watched) -> Bool {
        lhs.uses.append("compared")
        return lhs.uses === rhs.uses
    }

    func hash(into hasher: inout Hasher) { uses.append("hashed") }
}

private struct Moved: TypedNotification {
    let sender: Watched
    var depth = 0
}
