import Foundation
import Program

// The player before the migration. It has a list that observes while it is on the screen, a notification whose object
// is an identifier, an observer on the main queue that is called before a post returns, and a multicast delegate.

/// A list that observes while it is on the screen.
@MainActor
final class EpisodeList {
    private(set) var titles: [String] = []
    private let center: NotificationCenter
    private var observers: [NSObjectProtocol] = []

    init(center: NotificationCenter) { self.center = center }

    func appear() {
        // A list may appear twice without disappearing in between. Many apps have a helper with this check.
        guard observers.isEmpty else { return }
        observers.append(
            center.addObserver(forName: .episodeAdded, object: nil, queue: .mainOfPost) { [weak self] notification in
                let title = notification.userInfo?["title"] as? String
                MainActor.assumeIsolated { if let title { self?.titles.append(title) } }
            })
    }

    func disappear() {
        observers.forEach { center.removeObserver($0) }
        observers = []
    }
}

/// The page of one episode. It ignores posts whose object isn't the episode's identifier.
@MainActor
final class EpisodePage {
    private(set) var finishedCount = 0
    private let center: NotificationCenter
    private var observer: NSObjectProtocol?

    init(of episodeID: String, center: NotificationCenter) {
        self.center = center
        observer = center.addObserver(forName: .episodeFinished, object: nil, queue: .mainOfPost) {
            [weak self] notification in
            guard notification.object as? String == episodeID else { return }
            MainActor.assumeIsolated { self?.finishedCount += 1 }
        }
    }
}

@MainActor
final class VolumeLabel {
    private(set) var text = "50"
    private var observer: NSObjectProtocol?

    init(center: NotificationCenter) {
        // Foundation calls the observer in the post, because posts are made on the main thread. The tests rely on that.
        observer = center.addObserver(forName: .volumeChanged, object: nil, queue: .mainOfPost) {
            [weak self] notification in
            guard let volume = notification.userInfo?["volume"] as? Int else { return }
            MainActor.assumeIsolated { self?.text = "\(volume)" }
        }
    }
}

/// A delegate that receives the button presses of the headset.
@MainActor
protocol HeadsetDelegate: AnyObject {
    func headset(pressed button: String)
}

/// The headset, with a list of delegates, each held weakly.
@MainActor
final class Headset {
    private struct WeakDelegate { weak var delegate: (any HeadsetDelegate)? }
    private var delegates: [WeakDelegate] = []

    func add(_ delegate: any HeadsetDelegate) {
        delegates.removeAll { $0.delegate == nil || $0.delegate === delegate }
        delegates.append(WeakDelegate(delegate: delegate))
    }

    func press(_ button: String) {
        for entry in delegates { entry.delegate?.headset(pressed: button) }
    }
}

final class ButtonPage: Page, HeadsetDelegate {
    private(set) var pressed: [String] = []

    init(of headset: Headset) { headset.add(self) }

    func headset(pressed button: String) { pressed.append(button) }
}

package final class ClassicPlayer: Player {
    private let center: NotificationCenter
    private let list: EpisodeList
    private let page: EpisodePage
    private let label: VolumeLabel
    private let headset = Headset()

    package init(center: NotificationCenter) {
        self.center = center
        list = EpisodeList(center: center)
        page = EpisodePage(of: "e1", center: center)
        label = VolumeLabel(center: center)
    }

    package func add(_ title: String) {
        center.post(name: .episodeAdded, object: nil, userInfo: ["title": title])
    }
    package func finish(_ episodeID: String) { center.post(name: .episodeFinished, object: episodeID) }
    package func set(volume: Int) {
        center.post(name: .volumeChanged, object: nil, userInfo: ["volume": volume])
    }
    package func press(_ button: String) { headset.press(button) }
    package func listAppears() { list.appear() }
    package func listDisappears() { list.disappear() }
    package var listed: [String] { list.titles }
    package var finishedCount: Int { page.finishedCount }
    package var volumeText: String { label.text }
    package func openPage() -> any Page { ButtonPage(of: headset) }
}
