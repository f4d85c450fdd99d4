import Foundation
import Testing
import TidingsFoundation
import TidingsTesting

private struct Moved: BridgedNotification, Codable, Equatable {
    static let name = "JoiningTests.Moved"
    var to: Int
}

private struct Plain: TypedNotification {
    static let name = "JoiningTests.Plain"
    var number = 0
}

private struct Level: TypedNotification, Sendable {
    static let name = "JoiningTests.Level"
    static var replay: NotificationReplay { .latest(of: Self.self) }
    var number = 0
}

@Suite(.timeLimit(.minutes(2))) struct JoiningTests {
    private let native = NativeNotificationCenter()
    private let foundation = NotificationCenter()
    private let received = ReceivedValues<String>()

    private func postClassic(_ number: Int) {
        foundation.post(name: Notification.Name(Moved.name), object: nil, userInfo: ["to": number])
    }

    private func observers() -> [NotificationToken] {
        let classic = foundation.addObserver(forName: Notification.Name(Moved.name), object: nil, queue: nil) {
            [received] note in
            received.append("classic \(note.userInfo?["to"] ?? "-")")
        }
        _ = classic
        return [
            native.addObserver(for: Moved.self) { [received] in received.append("native \($0.to)") },
            foundation.addObserver(for: Moved.self) { [received] in received.append("foundation \($0.to)") },
        ]
    }

    @Test func `if centers are joined in both directions, every post reaches every observer once`() {
        let tokens = observers() + [native.join(Moved.self, with: foundation)]
        native.post(Moved(to: 1))
        #expect(received.values.sorted() == ["classic 1", "foundation 1", "native 1"])
        foundation.post(Moved(to: 2))
        #expect(received.values.dropFirst(3).sorted() == ["classic 2", "foundation 2", "native 2"])
        postClassic(3)
        #expect(received.values.dropFirst(6).sorted() == ["classic 3", "foundation 3", "native 3"])
        withExtendedLifetime(tokens) {}
    }

    @Test func `the native center keeps the latest notification that either of two joined centers posted`() {
        let tokens = [
            native.join(Level.self, with: foundation),
            foundation.addObserver(for: Level.self) { [received] in received.append("foundation \($0.number)") },
        ]
        foundation.post(Level(number: 1))
        #expect(native.latest(of: Level.self)?.number == 1)
        let late = native.addObserver(for: Level.self) { [received] in received.append("native \($0.number)") }
        foundation.post(Level(number: 2))
        native.post(Level(number: 3))
        #expect(native.latest(of: Level.self)?.number == 3)
        #expect(received.values.count == 6)
        #expect(received.values.prefix(2) == ["foundation 1", "native 1"])
        #expect(received.values[2..<4].sorted() == ["foundation 2", "native 2"])
        #expect(received.values[4...].sorted() == ["foundation 3", "native 3"])
        withExtendedLifetime((tokens, late)) {}
    }

    @Test func `a join that forwards to Foundation's center doesn't forward posts made on that center`() {
        let tokens = observers() + [native.join(Moved.self, with: foundation, direction: .toFoundation)]
        native.post(Moved(to: 1))
        postClassic(2)
        #expect(received.values.sorted() == ["classic 1", "classic 2", "foundation 1", "foundation 2", "native 1"])
        withExtendedLifetime(tokens) {}
    }

    @Test func `a join that forwards from Foundation's center doesn't forward posts made on the native center`() {
        let tokens = observers() + [native.join(Moved.self, with: foundation, direction: .fromFoundation)]
        native.post(Moved(to: 1))
        postClassic(2)
        #expect(received.values.sorted() == ["classic 2", "foundation 2", "native 1", "native 2"])
        withExtendedLifetime(tokens) {}
    }

    @Test func `posts that an observer makes in response are forwarded in both directions`() {
        let join = native.join(Moved.self, with: foundation)
        let tokens = [
            native.addObserver(for: Moved.self) { [native, received] note in
                received.append("native \(note.to)")
                if note.to == 1 { native.post(Moved(to: 10)) }
            },
            foundation.addObserver(for: Moved.self) { [foundation, received] note in
                received.append("foundation \(note.to)")
                if note.to == 10 { foundation.post(Moved(to: 100)) }
            },
        ]
        postClassic(1)
        #expect(
            received.values.sorted() == [
                "foundation 1", "foundation 10", "foundation 100", "native 1", "native 10", "native 100",
            ])
        native.post(Moved(to: 1))
        #expect(received.count == 12)
        withExtendedLifetime((join, tokens)) {}
    }

    @Test func `if two centers are joined twice, no notification returns to the center on which it was posted`() {
        let tokens =
            observers() + [native.join(Moved.self, with: foundation), native.join(Moved.self, with: foundation)]
        native.post(Moved(to: 1))
        #expect(received.values.filter { $0 == "native 1" }.count == 1)
        postClassic(2)
        #expect(received.values.filter { $0 == "native 2" }.count == 2)
        withExtendedLifetime(tokens) {}
    }

    @Test func `several native centers can be joined to one Foundation center`() {
        let other = NativeNotificationCenter()
        let tokens =
            observers() + [native.join(Moved.self, with: foundation), other.join(Moved.self, with: foundation)]
            + [other.addObserver(for: Moved.self) { [received] in received.append("other \($0.to)") }]
        native.post(Moved(to: 1))
        #expect(received.values.sorted() == ["classic 1", "foundation 1", "native 1", "other 1"])
        postClassic(2)
        #expect(received.values.dropFirst(4).sorted() == ["classic 2", "foundation 2", "native 2", "other 2"])
        withExtendedLifetime(tokens) {}
    }

    @Test func `a notification that isn't bridged is forwarded both ways between typed observers`() {
        let tokens = [
            native.join(Plain.self, with: foundation),
            native.addObserver(for: Plain.self) { [received] in received.append("native \($0.number)") },
            foundation.addObserver(for: Plain.self) { [received] in received.append("foundation \($0.number)") },
        ]
        native.post(Plain(number: 1))
        foundation.post(Plain(number: 2))
        #expect(received.values.sorted() == ["foundation 1", "foundation 2", "native 1", "native 2"])
        withExtendedLifetime(tokens) {}
    }

    @MainActor
    @Test func `main-actor notifications are forwarded both ways`() {
        struct Shown: MainActorBridgedNotification, Codable {
            static let name = "JoiningTests.Shown"
            var number: Int
        }
        var seen: [String] = []
        let tokens = [
            native.join(Shown.self, with: foundation),
            native.addObserver(for: Shown.self) { seen.append("native \($0.number)") },
            foundation.addObserver(for: Shown.self) { seen.append("foundation \($0.number)") },
        ]
        native.post(Shown(number: 1))
        foundation.post(Shown(number: 2))
        foundation.post(name: Notification.Name(Shown.name), object: nil, userInfo: ["number": 3])
        #expect(
            seen.sorted() == [
                "foundation 1", "foundation 2", "foundation 3", "native 1", "native 2", "native 3",
            ])
        withExtendedLifetime(tokens) {}
    }

    @Test func `a join ends when its token is cancelled`() async {
        let tokens = observers()
        let join = native.join(Moved.self, with: foundation)
        #expect(join.isActive)
        await join.cancelAndDrain()
        #expect(!join.isActive)
        native.post(Moved(to: 1))
        postClassic(2)
        #expect(received.values.sorted() == ["classic 2", "foundation 2", "native 1"])
        withExtendedLifetime(tokens) {}
    }

    @Test func `a join whose token is released is recorded as ended for that reason`() {
        let native = NativeNotificationCenter(keepsEnded: true)
        do { _ = native.join(Moved.self, with: foundation) }
        #expect(native.endedObservations.map(\.reason) == [.tokenReleased])
    }

    @Test func `a join doesn't retain the centers, and ends when one of them is deallocated`() {
        weak var formerNative: NativeNotificationCenter?
        weak var formerFoundation: NotificationCenter?
        let joins = {
            let native = NativeNotificationCenter()
            let foundation = NotificationCenter()
            (formerNative, formerFoundation) = (native, foundation)
            let joins = [
                native.join(Moved.self, with: self.foundation), self.native.join(Moved.self, with: foundation),
            ]
            #expect(joins.map(\.isActive) == [true, true])
            native.post(Moved(to: 1))
            self.native.post(Moved(to: 2))
            return joins
        }()
        #expect(formerNative == nil && formerFoundation == nil)
        #expect(joins.allSatisfy { !$0.isActive })
        // This post calls the forwarding observer once more. The observer finds the other center deallocated, and ends.
        native.post(Moved(to: 3))
        #expect(native.post(Moved(to: 4)) == 0)
    }
}
