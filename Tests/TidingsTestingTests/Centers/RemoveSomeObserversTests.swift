import Foundation
import Testing
import Tidings
import TidingsFoundation
import TidingsTesting

private final class Episode: Sendable {}

private struct EpisodeAdded: TypedNotification, Sendable { static let name = "RemoveSomeObserversTests.EpisodeAdded" }
private struct EpisodeChanged: TypedNotification, Sendable {
    static let name = "RemoveSomeObserversTests.EpisodeChanged"
    let sender: Episode
}
private struct FolderChanged: TypedNotification, Sendable {
    static let name = "RemoveSomeObserversTests.FolderChanged"
    let sender: String
}
private struct PlayerShown: MainActorNotification {
    static let name = "RemoveSomeObserversTests.PlayerShown"
    let sender: String
}
private struct State: TypedNotification, Sendable {
    static var replay: NotificationReplay { .latest(of: Self.self) }
    let number: Int
}

private final class ListScreen: Sendable {
    let calls = ReceivedValues<String>()
}

/// The centers that keep a list of their observers.
private var centers: [any TypedNotificationCenter] {
    [NativeNotificationCenter(), NotificationCenter(), RecordingNotificationCenter()]
}

@Suite struct RemoveSomeObserversTests {
    @Test func `removing an owner's observers of one type ends them in every delivery mode, and no others`() async {
        for center in centers {
            let (screen, other) = (ListScreen(), ListScreen())
            for owner in [screen, other] {
                center.addObserver(owner, for: EpisodeAdded.self) { me, _ in me.calls.append("added") }
                center.addObserver(owner, on: .main, for: EpisodeAdded.self) { me, _ in me.calls.append("later") }
                center.addObserver(owner, for: FolderChanged.self) { me, _ in me.calls.append("folder") }
            }
            center.removeObservers(of: screen, for: EpisodeAdded.self)
            await center.deliver(EpisodeAdded())
            center.post(FolderChanged(sender: "a"))
            #expect(screen.calls.values == ["folder"])
            #expect(Set(other.calls.values) == ["added", "later", "folder"])
        }
    }

    @Test func `removing an owner's observers of one sender works for object senders and value senders`() {
        for center in centers {
            let screen = ListScreen()
            let (first, second) = (Episode(), Episode())
            for episode in [first, second] {
                center.addObserver(screen, for: EpisodeChanged.self, sender: episode) { me, note in
                    me.calls.append(note.sender === first ? "first" : "second")
                }
            }
            for folder in ["a", "b"] {
                center.addObserver(screen, for: FolderChanged.self, sender: folder) { me, note in
                    me.calls.append(note.sender)
                }
            }
            center.removeObservers(of: screen, for: EpisodeChanged.self, sender: first)
            center.removeObservers(of: screen, for: FolderChanged.self, sender: "b")
            for episode in [first, second] { center.post(EpisodeChanged(sender: episode)) }
            for folder in ["a", "b"] { center.post(FolderChanged(sender: folder)) }
            #expect(screen.calls.values == ["second", "a"])
        }
    }

    @MainActor
    @Test func `an owner's observers of a main-actor notification can be removed for one sender or for all`() {
        for center in centers {
            let screen = ListScreen()
            for title in ["a", "b"] {
                center.addObserver(screen, for: PlayerShown.self, sender: title) { me, note in
                    me.calls.append(note.sender)
                }
            }
            center.removeObservers(of: screen, for: PlayerShown.self, sender: "a")
            for title in ["a", "b"] { center.post(PlayerShown(sender: title)) }
            #expect(screen.calls.values == ["b"])
            center.removeObservers(of: screen, for: PlayerShown.self)
            #expect(center.post(PlayerShown(sender: "b")) == 0)
        }
    }

    @Test func `with unlessRegistered, an observer that is registered again from the same line is called once`() {
        for center in centers {
            let screen = ListScreen()
            var tokens: [NotificationToken] = []
            for _ in 0..<3 {
                tokens.append(
                    center.unlessRegistered.addObserver(screen, for: EpisodeAdded.self) { me, _ in
                        me.calls.append("added")
                    })
            }
            center.post(EpisodeAdded())
            #expect(screen.calls.values == ["added"])
            tokens[2].cancel()
            #expect(center.post(EpisodeAdded()) == 0)
        }
    }

    @Test func `with unlessRegistered, a call with another line, owner, type or sender adds an observer`() async {
        for center in centers {
            let (screen, other) = (ListScreen(), ListScreen())
            for owner in [screen, other] {
                for folder in ["a", "b"] {
                    center.unlessRegistered.addObserver(owner, on: .main, for: FolderChanged.self, sender: folder) {
                        me, note in me.calls.append(note.sender)
                    }
                }
                center.unlessRegistered.addObserver(owner, for: FolderChanged.self) { me, note in
                    me.calls.append("all")
                }
            }
            await center.deliver(FolderChanged(sender: "a"))
            #expect(Set(screen.calls.values) == ["a", "all"])
            #expect(screen.calls.count == 2)
            #expect(other.calls.count == 2)
        }
    }

    @Test func `with unlessRegistered, an observer that has ended is registered again`() {
        for center in centers {
            let screen = ListScreen()
            for round in 1...3 {
                center.unlessRegistered.addObserver(screen, for: EpisodeAdded.self) { me, _ in me.calls.append("added")
                }
                center.post(EpisodeAdded())
                #expect(screen.calls.count == round)
                center.removeObservers(of: screen, for: EpisodeAdded.self)
            }
        }
    }

    @Test func `a post to a token or to an owner's observers calls no other observer`() async {
        for center in centers {
            let (screen, other) = (ListScreen(), ListScreen())
            for owner in [screen, other] {
                center.addObserver(owner, for: FolderChanged.self) { me, note in me.calls.append(note.sender) }
                center.addObserver(owner, for: FolderChanged.self, sender: "b") { me, note in me.calls.append("only b")
                }
            }
            let received = ReceivedValues<String>()
            let token = center.addObserver(for: FolderChanged.self) { received.append($0.sender) }
            let later = center.addObserver(on: .task, for: FolderChanged.self) { received.append("later \($0.sender)") }
            #expect(center.post(FolderChanged(sender: "a"), to: screen) == 1)
            #expect(center.post(FolderChanged(sender: "b"), to: screen) == 2)
            #expect(center.post(FolderChanged(sender: "c"), to: token) == 1)
            #expect(center.post(FolderChanged(sender: "d"), to: later) == 1)
            #expect(center.post(EpisodeAdded(), to: token) == 0)
            #expect(screen.calls.values == ["a", "b", "only b"])
            #expect(other.calls.values.isEmpty)
            await received.wait(for: 2)
            #expect(received.values == ["c", "later d"])
            withExtendedLifetime((token, later)) {}
        }
    }

    @MainActor
    @Test func `a main-actor notification can be posted to an owner's observers, too`() {
        for center in centers {
            let (screen, other) = (ListScreen(), ListScreen())
            for owner in [screen, other] {
                center.addObserver(owner, for: PlayerShown.self) { me, note in me.calls.append(note.sender) }
            }
            #expect(center.post(PlayerShown(sender: "a"), to: other) == 1)
            #expect(screen.calls.values.isEmpty && other.calls.values == ["a"])
        }
    }

    @Test func `a post to a single observer doesn't become the latest notification of its type`() {
        let center = NativeNotificationCenter()
        let received = ReceivedValues<Int>()
        let token = center.addObserver(for: State.self) { received.append($0.number) }
        center.post(State(number: 1))
        #expect(center.post(State(number: 2), to: token) == 1)
        #expect(received.values == [1, 2])
        #expect(center.latest(of: State.self)?.number == 1)
        withExtendedLifetime(token) {}
    }

    @Test func `a post to an owner's observers calls no untyped observer, and the statistics count its delivery`() {
        let center = NotificationCenter()
        let classic = ReceivedValues<Int>()
        let observer = center.addObserver(forName: Notification.Name(EpisodeAdded.name), object: nil, queue: nil) { _ in
            classic.append(1)
        }
        let screen = ListScreen()
        center.addObserver(screen, for: EpisodeAdded.self) { me, _ in me.calls.append("added") }
        #expect(center.post(EpisodeAdded(), to: screen) == 1)
        #expect(screen.calls.values == ["added"])
        #expect(classic.count == 0)
        #expect(center.statistics.rows.map(\.deliveries) == [1])
        center.removeObserver(observer)
    }
}
