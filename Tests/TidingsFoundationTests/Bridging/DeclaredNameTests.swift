import Foundation
import Testing
import TidingsFoundation
import TidingsTesting

extension Notification.Name {
    fileprivate static let episodeAdded = Notification.Name("DeclaredNameTests.episodeAdded")
}

private struct EpisodeAdded: BridgedNotification, Codable {
    static let name = Notification.Name.episodeAdded
    var number: Int
}

private struct EpisodeRemoved: BridgedNotification, Codable {
    static var name: Notification.Name { Notification.Name("DeclaredNameTests.episodeRemoved") }
    var number: Int
}

private struct EpisodePlayed: BridgedNotification, Codable {
    static let name = "DeclaredNameTests.episodePlayed"
    var number: Int
}

private struct PlayerShown: MainActorBridgedNotification, Codable {
    static let name = Notification.Name("DeclaredNameTests.playerShown")
    var number: Int
}

private enum Event: String { case cleared = "DeclaredNameTests.cleared" }

private struct CacheCleared: TypedNotification { static let name = Event.cleared }
private struct CacheFilled: TypedNotification {}
private struct Generic<Value>: TypedNotification { static var name: String { "Generic of \(Value.self)" } }

private enum FieldChanged: TypedNotification { case name, mail }
private enum ColumnChanged: String, TypedNotification { case name, mail }

private func name<N: NotificationContent>(of type: N.Type) -> String { N.name }

@Suite struct DeclaredNameTests {
    private let center = NotificationCenter()

    @Test func `a name can be declared as a constant of Notification.Name`() {
        let typed = ReceivedValues<Int>()
        let classic = ReceivedValues<Int>()
        let token = center.addObserver(for: EpisodeAdded.self) { typed.append($0.number) }
        let observer = center.addObserver(forName: .episodeAdded, object: nil, queue: nil) { note in
            classic.append(note.userInfo?["number"] as? Int ?? 0)
        }
        center.post(name: .episodeAdded, object: nil, userInfo: ["number": 1])
        center.post(EpisodeAdded(number: 2))
        #expect(typed.values == [1, 2])
        #expect(classic.values == [1, 2])
        center.removeObserver(observer)
        withExtendedLifetime(token) {}
    }

    @MainActor
    @Test func `a main-actor notification can declare its name as a constant`() {
        var numbers: [Int] = []
        let token = center.addObserver(for: PlayerShown.self) { note in numbers.append(note.number) }
        center.post(name: Notification.Name("DeclaredNameTests.playerShown"), object: nil, userInfo: ["number": 3])
        #expect(numbers == [3])
        withExtendedLifetime(token) {}
    }

    @Test func `generic code reads a notification's name, however the name is declared`() {
        #expect(name(of: EpisodeAdded.self) == "DeclaredNameTests.episodeAdded")
        #expect(name(of: EpisodeRemoved.self) == "DeclaredNameTests.episodeRemoved")
        #expect(name(of: EpisodePlayed.self) == "DeclaredNameTests.episodePlayed")
        #expect(name(of: CacheCleared.self) == "DeclaredNameTests.cleared")
        #expect(name(of: Generic<Int>.self) == "Generic of Int")
        #expect(name(of: CacheFilled.self).contains("CacheFilled"))
    }

    @Test func `an enum case called name isn't used as the notification's name`() {
        #expect(name(of: FieldChanged.self).hasSuffix("FieldChanged"))
        #expect(name(of: ColumnChanged.self).hasSuffix("ColumnChanged"))
    }

    @Test func `the static property called name keeps its declared type`() {
        let added = EpisodeAdded.name
        let played = EpisodePlayed.name
        let filled = CacheFilled.name
        #expect(added == .episodeAdded)
        #expect(played == "DeclaredNameTests.episodePlayed")
        #expect(filled.hasSuffix("CacheFilled"))
    }
}
