public import Foundation

/// The interface of the podcast player that the tests use. Four versions conform.
@MainActor
package protocol Player: AnyObject {
    init(center: NotificationCenter)

    /// Adds an episode to the list.
    func add(_ title: String)

    func finish(_ episodeID: String)

    func set(volume: Int)

    /// Presses a button of the headset.
    func press(_ button: String)

    /// Shows the list on the screen.
    func listAppears()

    /// Removes the list from the screen.
    func listDisappears()

    /// The titles that the list received while it was on the screen.
    var listed: [String] { get }

    var finishedCount: Int { get }

    var volumeText: String { get }

    /// Opens a page that receives the headset's button presses. Only the caller retains the page.
    func openPage() -> any Page
}

/// A page that receives the headset's button presses.
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
    /// The main queue, for observers of notifications that are posted on the main thread.
    ///
    /// Foundation calls such an observer in the post. On Linux, Foundation doesn't recognize the main thread of an
    /// asynchronous program and would deadlock. The queue is therefore `nil` on Linux, and an observer without a queue
    /// is also called in the post.
    package static var mainOfPost: OperationQueue? {
        #if os(Linux)
            nil
        #else
            .main
        #endif
    }
}
