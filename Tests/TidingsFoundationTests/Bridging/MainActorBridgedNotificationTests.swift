import Foundation
import TestSupport
import Testing
import TidingsFoundation
import TidingsTesting

@MainActor private final class Window {
    let title: String
    init(_ title: String) { self.title = title }
}

private struct WindowMoved: MainActorBridgedNotification, Codable {
    static let name = "MainActorBridgedNotificationTests.WindowMoved"
    @NotificationSender var sender: Window
    var origin: CGPoint?
}

@MainActor
@Suite(.timeLimit(.minutes(2))) struct MainActorBridgedNotificationTests {
    private let center = NotificationCenter()
    private let window = Window("A")

    @Test func `an untyped post reaches main-actor observers during the post`() {
        var seen: [String] = []
        let token = center.addObserver(for: WindowMoved.self) { note in
            seen.append("\(note.sender.title) \(note.origin.map { Int($0.x) } ?? 0)")
        }
        center.post(
            name: Notification.Name(WindowMoved.name), object: window,
            userInfo: ["origin": NSValue(point: CGPoint(x: 5, y: 1))])
        #expect(seen == ["A 5"])
        withExtendedLifetime(token) {}
    }

    @Test func `untyped observers receive the values of a typed post in userInfo`() {
        let received = ReceivedValues<CGFloat?>()
        let observer = center.addObserver(forName: Notification.Name(WindowMoved.name), object: window, queue: nil) {
            received.append(($0.userInfo?["origin"] as? CGPoint)?.x)
        }
        defer { center.removeObserver(observer) }
        center.post(WindowMoved(sender: window, origin: CGPoint(x: 5, y: 1)))
        #expect(received.values == [5])
    }

    @Test func `observers can be limited to a sender and tied to an owner`() {
        var seen: [String] = []
        let owner = Window("owner")
        center.addObserver(owner, for: WindowMoved.self, sender: window) { me, note in
            seen.append("\(me.title) \(note.sender.title)")
        }
        for object in [window, Window("B")] {
            center.post(name: Notification.Name(WindowMoved.name), object: object)
        }
        #expect(seen == ["owner A"])
    }

    @Test func `a value that can't be decoded is reported`() {
        struct Broken: MainActorBridgedNotification, Codable {
            static let name = "MainActorBridgedNotificationTests.Broken"
            var number: Int
        }
        Reports.collect()
        let token = center.addObserver(for: Broken.self) { _ in Issue.record("called without a number") }
        center.post(name: Notification.Name(Broken.name), object: nil)
        #expect(Reports.of(Broken.name).compactMap(\.error?.keyPath) == [["number"]])
        withExtendedLifetime(token) {}
    }

    @Test func `an untyped post off the main actor is delivered on the main actor afterwards`() async {
        struct Late: MainActorBridgedNotification, Codable {
            static let name = "MainActorBridgedNotificationTests.Late"
            var number: Int
        }
        Reports.collect()
        let gate = Gate()
        var numbers: [Int] = []
        let token = center.addObserver(for: Late.self) { note in
            numbers.append(note.number)
            gate.open()
        }
        let center = center
        await Task.detached {
            center.post(name: Notification.Name(Late.name), object: nil, userInfo: ["number": 7])
        }.value
        await gate.wait()
        #expect(numbers == [7])
        #expect(Reports.of(Late.name).map(\.kind) == [.postedOffMainActor])
        withExtendedLifetime(token) {}
    }
}
