// The notifications of others, made typed with a struct and its coding keys, in both directions.
import Foundation
import TidingsFoundation

final class Player: Sendable {}
final class Route: Sendable {}

// snippet.struct
/// What a player framework posts with a dictionary.
struct TrackChanged: BridgedNotification, Codable {
    static let name = "PlayerTrackDidChange"

    var title: String
    var seconds: Double
    var artwork: CGRect?
    var quality: Quality

    enum Quality: Int, Codable { case low, high }

    enum CodingKeys: String, CodingKey {
        case title = "PlayerTitleKey"
        case seconds = "PlayerDurationKey"
        case artwork = "PlayerArtworkFrameKey"
        case quality = "PlayerQualityKey"
    }
}
// snippet.end

let center = NotificationCenter()
var tokens = NotificationTokens()
let player = Player()

// snippet.receive
center.addObserver(for: TrackChanged.self) { note in
    print("\(note.title), \(note.seconds) s, \(note.quality) quality")
}
.store(in: &tokens)

// As the framework does it, with Foundation's objects.
center.post(
    name: Notification.Name("PlayerTrackDidChange"), object: nil,
    userInfo: [
        "PlayerTitleKey": NSString("Greensleeves"), "PlayerDurationKey": NSNumber(value: 214.5),
        "PlayerQualityKey": NSNumber(value: 1),
    ])
// → Greensleeves, 214.5 s, high quality
// snippet.end

// snippet.send
// A classic observer, which knows nothing of the type.
let classic = NotificationCenter()
let receipt = classic.addObserver(forName: Notification.Name("PlayerTrackDidChange"), object: nil, queue: nil) { note in
    let title = note.userInfo?["PlayerTitleKey"] as? String
    let quality = note.userInfo?["PlayerQualityKey"] as? NSNumber
    print("classic: \(title ?? "-"), quality \(quality?.intValue ?? -1)")
}

classic.post(TrackChanged(title: "La Folia", seconds: 600, quality: .low))
// → classic: La Folia, quality 0
// snippet.end
classic.removeObserver(receipt)

// snippet.errors
NotificationReport.handler = { report in print("report: \(report)") }

center.post(
    name: Notification.Name("PlayerTrackDidChange"), object: nil,
    userInfo: ["PlayerTitleKey": "La Folia", "PlayerDurationKey": "long", "PlayerQualityKey": 1])
// → report: PlayerTrackDidChange: a value of another type under PlayerDurationKey: expected Double, found String "long"
center.post(
    name: Notification.Name("PlayerTrackDidChange"), object: nil,
    userInfo: ["PlayerTitleKey": "La Folia", "PlayerDurationKey": 600, "PlayerQualityKey": 1.5])
// → report: PlayerTrackDidChange: a value that does not fit exactly under PlayerQualityKey: expected Int, found Double 1.5
// snippet.end

// snippet.objects
struct RouteChanged: BridgedNotification, Codable {
    static let name = "PlayerRouteDidChange"

    /// The notification's object.
    @NotificationSender var sender: Player

    /// An object of a class that is not `Codable`.
    @UserInfoValue var previousRoute: Route?

    /// An enum of somebody else's, with a raw value.
    @UserInfoValue var reason: Reason
    enum Reason: UInt { case unplugged, chosen }
}

center.addObserver(for: RouteChanged.self, sender: player) { note in print("The route was \(note.reason).") }
    .store(in: &tokens)
center.post(
    name: Notification.Name("PlayerRouteDidChange"), object: player,
    userInfo: ["previousRoute": Route(), "reason": NSNumber(value: 0)])
// → The route was unplugged.
// snippet.end

// snippet.set
/// Several names that share one payload: a descriptor for each, coded by the same two lines.
enum PlayerEvent: String, NotificationDescriptor {
    case started = "PlayerDidStart"
    case stopped = "PlayerDidStop"

    struct Payload: Codable { var seconds: Double }

    var name: Notification.Name { Notification.Name(rawValue) }

    func decode(_ notification: Notification) throws(NotificationDecodingError) -> Payload {
        try UserInfoDecoder().decode(from: notification)
    }

    func encode(_ payload: Payload) throws(NotificationEncodingError) -> Notification {
        Notification(name: name, userInfo: try UserInfoEncoder().encode(payload, notification: name))
    }
}

let stop = await center.first(of: PlayerEvent.stopped) {
    center.post(name: Notification.Name("PlayerDidStop"), object: nil, userInfo: ["seconds": 12])
}
print("stopped at \(stop?.seconds ?? 0) s")
// → stopped at 12.0 s
// snippet.end

// snippet.reader
func volume(in notification: Notification) throws(NotificationDecodingError) -> Float {
    let reader = UserInfoReader(notification)
    _ = try reader.object(as: Player.self)
    return try reader.value(for: "volume", as: Float.self)
}

let volumeChanged = Notification(name: Notification.Name("VolumeDidChange"), object: player, userInfo: ["volume": 0.5])
print("volume \(try volume(in: volumeChanged))")
// → volume 0.5
// snippet.end

// snippet.join
let native = NativeNotificationCenter()
native.join(TrackChanged.self, with: center).store(in: &tokens)
native.addObserver(for: TrackChanged.self) { note in print("native: \(note.title)") }.store(in: &tokens)

center.post(
    name: Notification.Name("PlayerTrackDidChange"), object: nil,
    userInfo: ["PlayerTitleKey": "Pavane", "PlayerDurationKey": 90, "PlayerQualityKey": 1])
// → Pavane, 90.0 s, high quality
// → native: Pavane
// snippet.end
