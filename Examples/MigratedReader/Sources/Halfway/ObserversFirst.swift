import Foundation
import Program
import TidingsFoundation

// Half-way, with the observers first: all observers of the player are typed, and its posts are unchanged.

/// A list that observes while it is on the screen. It may appear twice, and removes its observers with the classic
/// `removeObserver`.
@MainActor
private final class EpisodeList {
    private(set) var titles: [String] = []
    private let center: NotificationCenter

    init(center: NotificationCenter) { self.center = center }

    func appear() {
        center.unlessRegistered.addObserver(self, for: EpisodeAdded.self) { me, note in me.titles.append(note.title) }
    }

    func disappear() { center.removeObserver(self) }
}

/// The page of one episode, whose identifier is the sender.
@MainActor
private final class EpisodePage {
    private(set) var finishedCount = 0

    init(of episodeID: String, center: NotificationCenter) {
        center.addObserver(self, for: EpisodeFinished.self, sender: episodeID) { me, _ in me.finishedCount += 1 }
    }
}

/// The label beside the slider. Its observer is called in the post, on the main thread.
@MainActor
private final class VolumeLabel {
    private(set) var text = "50"

    init(center: NotificationCenter) {
        center.addObserver(self, for: VolumeChanged.self) { me, note in me.text = "\(note.volume)" }
    }
}

@MainActor
private protocol HeadsetDelegate: AnyObject {
    func headset(pressed button: String)
}

/// The headset calls its delegates. One delegate posts `ButtonPressed`, which the pages observe. Objects that aren't
/// converted can remain delegates.
@MainActor
private final class Headset {
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

/// The delegate that posts.
private final class HeadsetPoster: HeadsetDelegate {
    private let center: NotificationCenter

    init(of headset: Headset, center: NotificationCenter) {
        self.center = center
        headset.add(self)
    }

    func headset(pressed button: String) { center.post(ButtonPressed(button: button)) }
}

private final class ButtonPage: Page {
    private(set) var pressed: [String] = []

    init(center: NotificationCenter) {
        center.addObserver(self, for: ButtonPressed.self) { me, note in me.pressed.append(note.button) }
    }
}

package final class ObserversFirstPlayer: Player {
    private let center: NotificationCenter
    private let list: EpisodeList
    private let page: EpisodePage
    private let label: VolumeLabel
    private let headset = Headset()
    private let poster: HeadsetPoster

    package init(center: NotificationCenter) {
        self.center = center
        list = EpisodeList(center: center)
        page = EpisodePage(of: "e1", center: center)
        label = VolumeLabel(center: center)
        poster = HeadsetPoster(of: headset, center: center)
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
    package func openPage() -> any Page { ButtonPage(center: center) }
}
