import Foundation
import Program
import TidingsFoundation

/// A list that observes while it is on the screen.
@MainActor
final class EpisodeList {
    private(set) var titles: [String] = []
    private let center: any TypedNotificationCenter

    init(center: any TypedNotificationCenter) { self.center = center }

    func appear() {
        center.unlessRegistered.addObserver(self, for: EpisodeAdded.self) { me, note in me.titles.append(note.title) }
    }

    func disappear() { center.removeObservers(of: self, for: EpisodeAdded.self) }
}

/// The page of one episode.
@MainActor
final class EpisodePage {
    private(set) var finishedCount = 0

    init(of episodeID: String, center: any TypedNotificationCenter) {
        center.addObserver(self, for: EpisodeFinished.self, sender: episodeID) { me, _ in me.finishedCount += 1 }
    }
}

@MainActor
final class VolumeLabel {
    private(set) var text = "50"

    init(center: any TypedNotificationCenter) {
        center.addObserver(self, for: VolumeChanged.self) { me, note in me.text = "\(note.volume)" }
    }
}

/// A page that receives the headset's button presses. It needs no list of delegates, because the center holds owners
/// weakly, and calls observers in the order of their registration.
final class ButtonPage: Page {
    private(set) var pressed: [String] = []

    init(center: any TypedNotificationCenter) {
        center.addObserver(self, for: ButtonPressed.self) { me, note in me.pressed.append(note.button) }
    }
}

package final class DonePlayer: Player {
    private let center: any TypedNotificationCenter
    private let list: EpisodeList
    private let page: EpisodePage
    private let label: VolumeLabel

    package convenience init(center: NotificationCenter) { self.init(on: center) }

    init(on center: any TypedNotificationCenter) {
        self.center = center
        list = EpisodeList(center: center)
        page = EpisodePage(of: "e1", center: center)
        label = VolumeLabel(center: center)
    }

    package func add(_ title: String) { center.post(EpisodeAdded(title: title)) }
    package func finish(_ episodeID: String) { center.post(EpisodeFinished(sender: episodeID)) }
    package func set(volume: Int) { center.post(VolumeChanged(volume: volume)) }
    package func press(_ button: String) { center.post(ButtonPressed(button: button)) }
    package func listAppears() { list.appear() }
    package func listDisappears() { list.disappear() }
    package var listed: [String] { list.titles }
    package var finishedCount: Int { page.finishedCount }
    package var volumeText: String { label.text }
    package func openPage() -> any Page { ButtonPage(center: center) }
}
