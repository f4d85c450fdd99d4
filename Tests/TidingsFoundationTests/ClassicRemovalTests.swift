import Foundation
import Testing
import TidingsFoundation
import TidingsTesting

private struct EpisodeAdded: BridgedNotification, Codable {
    static let name = "ClassicRemovalTests.EpisodeAdded"
}

private struct EpisodeChanged: BridgedNotification, Codable {
    static let name = "ClassicRemovalTests.EpisodeChanged"
    @NotificationSender var sender: String
}

private let described = PayloadDescriptor(name: Notification.Name("ClassicRemovalTests.described")) { _ in 1 }

private final class Listener: Sendable {
    let calls = ReceivedValues<String>()

    func appear(on center: NotificationCenter) {
        center.addObserver(self, for: EpisodeAdded.self) { me, _ in me.calls.append("added") }
        for episode in ["a", "b"] {
            center.addObserver(self, for: EpisodeChanged.self, sender: episode) { me, note in
                me.calls.append(note.sender)
            }
        }
        center.addObserver(self, descriptor: described) { me, _ in me.calls.append("described") }
    }

    func postAll(on center: NotificationCenter) -> [String] {
        let before = calls.count
        center.post(EpisodeAdded())
        for episode in ["a", "b"] { center.post(name: Notification.Name(EpisodeChanged.name), object: episode) }
        center.post(name: described.name, object: nil)
        return Array(calls.values.dropFirst(before))
    }
}

@Suite struct ClassicRemovalTests {
    private let center = NotificationCenter()
    private let listener = Listener()

    @Test func `if a screen removes its observers when it disappears, it receives each post once after it reappears`() {
        for _ in 1...3 {
            listener.appear(on: center)
            #expect(listener.postAll(on: center) == ["added", "a", "b", "described"])
            center.removeObserver(listener)
            #expect(listener.postAll(on: center).isEmpty)
        }
    }

    @Test func `removeObserver(_:name:object:) removes the observers of a name, or of a name and a sender`() {
        listener.appear(on: center)
        center.removeObserver(listener, name: Notification.Name(EpisodeChanged.name), object: "a")
        #expect(listener.postAll(on: center) == ["added", "b", "described"])
        center.removeObserver(listener, name: Notification.Name(EpisodeAdded.name), object: nil)
        #expect(listener.postAll(on: center) == ["b", "described"])
        center.removeObserver(listener, name: described.name, object: nil)
        #expect(listener.postAll(on: center) == ["b"])
        center.removeObserver(listener, name: nil, object: nil)
        #expect(listener.postAll(on: center).isEmpty)
    }

    @Test func `removeObserver removes Foundation's own observers, and removes a typed observer if passed its token`() {
        let calls = ReceivedValues<String>()
        let observer = center.addObserver(
            forName: Notification.Name(EpisodeAdded.name), object: nil, queue: nil
        ) { _ in calls.append("classic") }
        let token = center.addObserver(for: EpisodeAdded.self) { _ in calls.append("typed") }
        center.removeObserver(observer)
        center.post(EpisodeAdded())
        #expect(calls.values == ["typed"])
        center.removeObserver(token)
        center.post(EpisodeAdded())
        #expect(calls.values == ["typed"])
    }

    @Test func `removing the observers of a descriptor doesn't end observers of a type with the same name`() {
        listener.appear(on: center)
        center.removeObservers(of: listener, descriptor: described)
        #expect(listener.postAll(on: center) == ["added", "a", "b"])
        center.addObserver(listener, descriptor: described, object: "x") { me, _ in me.calls.append("of x") }
        center.addObserver(listener, descriptor: described, object: "y") { me, _ in me.calls.append("of y") }
        center.removeObservers(of: listener, descriptor: described, object: "x")
        let before = listener.calls.count
        for object in ["x", "y"] { center.post(name: described.name, object: object) }
        #expect(Array(listener.calls.values.dropFirst(before)) == ["of y"])
    }
}
