// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// A library that posts notifications, a client that observes them, and a test.
public import Tidings
import TidingsTesting

// snippet.notification
public struct TrackChanged: TypedNotification, Sendable {
    public let title: String
    public let position: Double

    public init(title: String, position: Double = 0) {
        self.title = title
        self.position = position
    }
}
// snippet.end

// snippet.center
public final class Player: Sendable {
    private let center: any TypedNotificationCenter

    public init(center: any TypedNotificationCenter = NativeNotificationCenter.default) {
        self.center = center
    }

    public func play(_ title: String) {
        center.post(TrackChanged(title: title))
    }
}
// snippet.end

// snippet.client
let center = NativeNotificationCenter()
let player = Player(center: center)
let token = center.addObserver(for: TrackChanged.self) { note in print("Now playing: \(note.title)") }
player.play("Greensleeves")
// → Now playing: Greensleeves
// snippet.end

// snippet.test
let recorder = RecordingNotificationCenter()
Player(center: recorder).play("Scarborough Fair")
await recorder.expectPosted(exactly: .any(TrackChanged.self) { $0.title == "Scarborough Fair" })
// snippet.end
withExtendedLifetime(token) {}
