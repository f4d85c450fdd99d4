public import Foundation

/// A podcast player, as its tests see it. The four versions conform.
@MainActor
package protocol Player: AnyObject {
    init(center: NotificationCenter)

    /// Adds an episode to the list of what is played next.
    func add(_ title: String)

    /// Plays an episode to its end.
    func finish(_ episodeID: String)

    /// Changes the volume, as a slider on the screen does.
    func set(volume: Int)

    /// Presses a button of the headset.
    func press(_ button: String)

    /// The list comes onto the screen, and leaves it.
    func listAppears()
    func listDisappears()

    /// The titles that the list was told of while it was on the screen.
    var listed: [String] { get }

    /// How often the episode "e1" was finished, whose page is open.
    var finishedCount: Int { get }

    /// What the label beside the slider says.
    var volumeText: String { get }

    /// Opens a page that is told of the headset's buttons. The caller alone holds it.
    func openPage() -> any Page
}

/// A page that is told of the headset's buttons.
@MainActor
package protocol Page: AnyObject {
    var pressed: [String] { get }
}

extension Notification.Name {
    package static let episodeAdded = Notification.Name("EpisodeAdded")
    package static let episodeFinished = Notification.Name("EpisodeFinished")
    package static let volumeChanged = Notification.Name("VolumeChanged")
}

extension OperationQueue {
    /// The main queue, for observers of what is posted on the main thread.
    ///
    /// Foundation calls such an observer in the post. On Linux it doesn't recognise the main thread of an asynchronous program, and would
    /// wait for it on itself, so there the observer has no queue, which calls it in the post, too.
    package static var mainOfPost: OperationQueue? {
        #if os(Linux)
            nil
        #else
            .main
        #endif
    }
}
