import Foundation
import Program
import TidingsFoundation

// Half-way, with the posts first: all posts of the player are typed, and its observers are unchanged.

@MainActor
private final class EpisodeList {
    private(set) var titles: [String] = []
    private let center: NotificationCenter
    private var observers: [NSObjectProtocol] = []

    init(center: NotificationCenter) { self.center = center }

    func appear() {
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

@MainActor
private final class EpisodePage {
    private(set) var finishedCount = 0
    private var observer: NSObjectProtocol?

    init(of episodeID: String, center: NotificationCenter) {
        observer = center.addObserver(forName: .episodeFinished, object: nil, queue: .mainOfPost) {
            [weak self] notification in
            guard notification.object as? String == episodeID else { return }
            MainActor.assumeIsolated { self?.finishedCount += 1 }
        }
    }
}

@MainActor
private final class VolumeLabel {
    private(set) var text = "50"
    private var observer: NSObjectProtocol?

    init(center: NotificationCenter) {
        observer = center.addObserver(forName: .volumeChanged, object: nil, queue: .mainOfPost) {
            [weak self] notification in
            guard let volume = notification.userInfo?["volume"] as? Int else { return }
            MainActor.assumeIsolated { self?.text = "\(volume)" }
        }
    }
}

@MainActor
private protocol HeadsetDelegate: AnyObject {
    func headset(pressed button: String)
}

/// The headset posts, and observes its own notification to call the remaining delegates.
@MainActor
private final class Headset {
    private struct WeakDelegate { weak var delegate: (any HeadsetDelegate)? }
    private var delegates: [WeakDelegate] = []
    private let center: NotificationCenter

    init(center: NotificationCenter) {
        self.center = center
        center.addObserver(self, for: ButtonPressed.self) { me, note in
            for entry in me.delegates { entry.delegate?.headset(pressed: note.button) }
        }
    }

    func add(_ delegate: any HeadsetDelegate) {
        delegates.removeAll { $0.delegate == nil || $0.delegate === delegate }
        delegates.append(WeakDelegate(delegate: delegate))
    }

    func press(_ button: String) { center.post(ButtonPressed(button: button)) }
}

private final class ButtonPage: Page, HeadsetDelegate {
    private(set) var pressed: [String] = []

    init(of headset: Headset) { headset.add(self) }

    func headset(pressed button: String) { pressed.append(button) }
}

package final class PostsFirstPlayer: Player {
    private let center: NotificationCenter
    private let list: EpisodeList
    private let page: EpisodePage
    private let label: VolumeLabel
    private let headset: Headset

    package init(center: NotificationCenter) {
        self.center = center
        list = EpisodeList(center: center)
        page = EpisodePage(of: "e1", center: center)
        label = VolumeLabel(center: center)
        headset = Headset(center: center)
    }

    package func add(_ title: String) { center.post(EpisodeAdded(title: title)) }
    package func finish(_ episodeID: String) { center.post(EpisodeFinished(sender: episodeID)) }
    package func set(volume: Int) { center.post(VolumeChanged(volume: volume)) }
    package func press(_ button: String) { headset.press(button) }
    package func listAppears() { list.appear() }
    package func listDisappears() { list.disappear() }
    package var listed: [String] { list.titles }
    package var finishedCount: Int { page.finishedCount }
    package var volumeText: String { label.text }
    package func openPage() -> any Page { ButtonPage(of: headset) }
}
