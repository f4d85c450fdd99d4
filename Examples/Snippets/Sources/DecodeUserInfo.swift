// A notification of another framework, typed by a struct and its coding keys, in both directions.
import Foundation
import TidingsFoundation

final class Player: Sendable {}
final class Route: Sendable {}

// snippet.struct
/// A notification that a player framework posts with a dictionary.
struct TrackChanged: BridgedNotification, Codable {
    static let name = "PlayerTrackDidChange"

    /// The framework writes enums as their raw values.
    static let userInfoForm = UserInfoForm.objects

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

// The framework's own post, with Foundation objects.
center.post(
    name: Notification.Name("PlayerTrackDidChange"), object: nil,
    userInfo: [
        "PlayerTitleKey": NSString("Greensleeves"), "PlayerDurationKey": NSNumber(value: 214.5),
        "PlayerQualityKey": NSNumber(value: 1),
    ])
// → Greensleeves, 214.5 s, high quality
// snippet.end

// snippet.send
// A classic observer, which doesn't use the type.
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
// → report: PlayerTrackDidChange: a value without an exact representation under PlayerQualityKey: expected Int, found Double 1.5
// snippet.end

// snippet.objects
struct RouteChanged: BridgedNotification, Codable {
    static let name = "PlayerRouteDidChange"

    /// The notification's object.
    @NotificationSender var sender: Player

    /// An object of a class that is not `Codable`.
    @UserInfoValue var previousRoute: Route?

    /// An enum of another module, with a raw value.
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

let stop = await center.first(
    descriptor: PlayerEvent.stopped,
    performing: {
        center.post(name: Notification.Name("PlayerDidStop"), object: nil, userInfo: ["seconds": 12])
    })
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

// snippet.keys
/// Keys that aren't strings. The classic code uses the cases of an enum.
enum SubscriptionKey { case product, features }

struct SubscriptionChanged: BridgedNotification, Codable {
    static let name = "SubscriptionDidChange"

    var product: String
    var features: Set<String>

    enum CodingKeys: UserInfoCodingKey {
        case product, features

        var userInfoKey: AnyHashable {
            switch self {
            case .product: SubscriptionKey.product
            case .features: SubscriptionKey.features
            }
        }
    }
}

center.addObserver(for: SubscriptionChanged.self) { note in print("\(note.product): \(note.features)") }
    .store(in: &tokens)
center.post(
    name: Notification.Name("SubscriptionDidChange"), object: nil,
    userInfo: [SubscriptionKey.product: "sync", SubscriptionKey.features: Set(["history"])])
// → sync: ["history"]
// snippet.end

// snippet.family
/// Several names with one payload: on Foundation's center a post has the name of its event.
struct DownloadChanged: BridgedNotification, NotificationFamily, Codable {
    enum Event: String, CaseIterable {
        case began = "DownloadDidBegin"
        case ended = "DownloadDidEnd"
    }

    @FamilyEvent var event: Event
    var file: String
    var hasEnded: Bool { event == .ended }
}

center.addObserver(for: DownloadChanged.self) { note in print("\(note.event): \(note.file)") }.store(in: &tokens)
center.addObserver(for: DownloadChanged.self, where: { $0.hasEnded }) { note in print("\(note.file) is there") }
    .store(in: &tokens)

center.post(name: Notification.Name("DownloadDidBegin"), object: nil, userInfo: ["file": "tidings.zip"])
// → began: tidings.zip
center.post(DownloadChanged(event: .ended, file: "tidings.zip"))
// → ended: tidings.zip
// → tidings.zip is there
// snippet.end

// snippet.hand
/// Bridging by hand, because the type of one value depends on another value.
struct ItemMoved: BridgedNotification {
    static let name = "ItemDidMove"

    let item: String
    let index: Int?

    init(item: String, index: Int?) {
        self.item = item
        self.index = index
    }

    init(bridging notification: Notification) throws(NotificationDecodingError) {
        let reader = UserInfoReader(notification)
        item = try reader.value(for: "item", as: String.self)
        let isRemoved = try reader.value(for: "removed", as: Bool?.self) ?? false
        index = isRemoved ? nil : try reader.value(for: "index", as: Int.self)
    }

    func bridged() throws(NotificationEncodingError) -> Notification {
        var userInfo: [AnyHashable: Any] = ["item": item, "removed": index == nil]
        userInfo["index"] = index
        return Notification(name: Notification.Name(Self.name), userInfo: userInfo)
    }
}

center.addObserver(for: ItemMoved.self) { note in print("\(note.item) is at \(note.index ?? -1)") }.store(in: &tokens)
center.post(name: Notification.Name("ItemDidMove"), object: nil, userInfo: ["item": "note", "index": 3])
// → note is at 3
// snippet.end

// snippet.untyped
struct Reload: TypedNotification { static let name = "Reload" }

center.addObserver(for: Reload.self) { _ in print("reloaded") }.store(in: &tokens)
center.post(name: Notification.Name("Reload"), object: player)
// → report: Reload: posted without a typed value: expected Reload (adopt BridgedNotification, or use a descriptor); posted by Player
// snippet.end
