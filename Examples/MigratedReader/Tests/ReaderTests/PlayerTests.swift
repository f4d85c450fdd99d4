import Classic
import Done
import Foundation
import Halfway
import Program
import Testing

/// The player before the migration, half-way in both directions, and finished.
enum PlayerVersion: CaseIterable {
    case classic, postsFirst, observersFirst, done

    @MainActor
    func player(_ center: NotificationCenter) -> any Player {
        switch self {
        case .classic: ClassicPlayer(center: center)
        case .postsFirst: PostsFirstPlayer(center: center)
        case .observersFirst: ObserversFirstPlayer(center: center)
        case .done: DonePlayer(center: center)
        }
    }
}

/// The behavior that all versions share. The tests were written for the first version, and check the result when a post
/// has returned.
@MainActor
@Suite struct PlayerTests {
    private let center = NotificationCenter()

    @Test(arguments: PlayerVersion.allCases)
    func `a list receives each added episode once while it is on the screen`(_ version: PlayerVersion) {
        let player = version.player(center)
        player.add("before")
        for round in 1...3 {
            player.listAppears()
            player.add("round \(round)")
            player.listDisappears()
            player.add("between")
        }
        #expect(player.listed == ["round 1", "round 2", "round 3"])
    }

    @Test(arguments: PlayerVersion.allCases)
    func `a list that appears twice receives each episode once`(_ version: PlayerVersion) {
        let player = version.player(center)
        player.listAppears()
        player.listAppears()
        player.add("one")
        #expect(player.listed == ["one"])
        player.listDisappears()
        player.add("two")
        #expect(player.listed == ["one"])
    }

    @Test(arguments: PlayerVersion.allCases)
    func `a page counts only its own episode`(_ version: PlayerVersion) {
        let player = version.player(center)
        player.finish("e2")
        player.finish("e1")
        #expect(player.finishedCount == 1)
    }

    @Test(arguments: PlayerVersion.allCases)
    func `a label is up to date as soon as the post has returned`(_ version: PlayerVersion) {
        let player = version.player(center)
        player.set(volume: 80)
        #expect(player.volumeText == "80")
    }

    @Test(arguments: PlayerVersion.allCases)
    func `all pages receive a button press, and none is retained`(_ version: PlayerVersion) {
        let player = version.player(center)
        var first: (any Page)? = player.openPage()
        let second = player.openPage()
        player.press("play")
        #expect(first?.pressed == ["play"])
        #expect(second.pressed == ["play"])
        weak let gone = first
        first = nil
        #expect(gone == nil)
        player.press("stop")
        #expect(second.pressed == ["play", "stop"])
    }

    /// The posts stand for code that isn't converted, such as a plug-in.
    @Test(arguments: PlayerVersion.allCases)
    func `classic posts reach every version, whether their object is a String or an NSString`(
        _ version: PlayerVersion
    ) {
        let player = version.player(center)
        player.listAppears()
        center.post(name: .episodeAdded, object: nil, userInfo: ["title": "theirs"])
        center.post(name: .episodeFinished, object: "e1")
        center.post(name: .episodeFinished, object: NSString("e1"))
        center.post(name: .episodeFinished, object: NSString("e2"))
        center.post(name: .volumeChanged, object: nil, userInfo: ["volume": 10])
        #expect(player.listed == ["theirs"])
        #expect(player.finishedCount == 2)
        #expect(player.volumeText == "10")
    }

    @Test(arguments: PlayerVersion.allCases)
    func `classic observers can read the posts of every version`(_ version: PlayerVersion) {
        let player = version.player(center)
        // This test causes all posts, one after the other, so the closure is never called concurrently.
        nonisolated(unsafe) var seen: [String] = []
        let observer = center.addObserver(forName: nil, object: nil, queue: nil) { note in
            switch note.name {
            case .episodeAdded: seen.append(note.userInfo?["title"] as? String ?? "-")
            case .episodeFinished: seen.append(note.object as? String ?? "-")
            case .volumeChanged: seen.append("\(note.userInfo?["volume"] as? Int ?? -1)")
            default: break
            }
        }
        player.add("one")
        player.finish("e7")
        player.set(volume: 30)
        center.removeObserver(observer)
        #expect(seen == ["one", "e7", "30"])
    }
}
