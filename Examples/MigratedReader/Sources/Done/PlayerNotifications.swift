import Foundation
import Program
import TidingsFoundation

// A plug-in uses the first three notifications by their names. Only this app uses the last, so it needs no name.

/// An episode was added. This is a main-actor notification, so it is posted and observed on the main thread, and its
/// observers have run when the post returns.
struct EpisodeAdded: MainActorBridgedNotification, Codable {
    static let name = Notification.Name.episodeAdded
    var title: String
}

/// An episode was played to its end. The object of the classic notification is the episode's identifier.
struct EpisodeFinished: MainActorBridgedNotification, Codable {
    static let name = Notification.Name.episodeFinished
    @NotificationSender var sender: String
}

/// The volume has changed.
struct VolumeChanged: MainActorBridgedNotification, Codable {
    static let name = Notification.Name.volumeChanged
    var volume: Int
}

/// A button of the headset was pressed. This notification replaces a delegate's method.
struct ButtonPressed: MainActorNotification {
    var button: String
}
