import Foundation
import Testing
import TidingsFoundation
import TidingsTesting

private struct EpisodeAdded: TypedNotification {
    static let name = "PostingOnMainThreadTests.EpisodeAdded"
    let number: Int
}

private final class View { let title = "a" }

private struct Shown: MainActorNotification {
    static let name = "PostingOnMainThreadTests.Shown"
    let view: View
}

@Suite struct PostingOnMainThreadTests {
    @Test(arguments: [NotificationCenter(), NativeNotificationCenter()] as [any TypedNotificationCenter])
    func `postOnMainThread posts on the main thread before it returns, whichever thread calls it`(
        center: any TypedNotificationCenter
    ) async {
        let received = ReceivedValues<Int>()
        let token = center.addObserver(for: EpisodeAdded.self) { note in
            MainActor.assertIsolated()
            received.append(note.number)
        }
        await onThread {
            #expect(center.postOnMainThread(EpisodeAdded(number: 1)) == 1)
            #expect(received.values == [1])
        }
        withExtendedLifetime(token) {}
    }

    @MainActor
    @Test(arguments: [NotificationCenter(), NativeNotificationCenter()] as [any TypedNotificationCenter])
    func `a main-actor notification with contents that aren't Sendable can be posted from any thread`(
        center: any TypedNotificationCenter
    ) async {
        var titles: [String] = []
        let token = center.addObserver(for: Shown.self) { note in titles.append(note.view.title) }
        await onThread { #expect(center.postOnMainThread(Shown(view: View())) == 1) }
        #expect(titles == ["a"])
        withExtendedLifetime(token) {}
    }

    @MainActor
    @Test(arguments: [NotificationCenter(), NativeNotificationCenter()] as [any TypedNotificationCenter])
    func `postOnMainThread posts immediately if it is called on the main thread`(center: any TypedNotificationCenter) {
        var numbers: [Int] = []
        let token = center.addObserver(for: Shown.self) { _ in numbers.append(1) }
        func post() { center.postOnMainThread(Shown(view: View())) }
        post()
        #expect(numbers == [1])
        withExtendedLifetime(token) {}
    }
}
