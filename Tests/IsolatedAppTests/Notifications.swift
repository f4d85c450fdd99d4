import Tidings
import TidingsFoundation
import TidingsInspector
import TidingsRelay

// Notifications that can be posted anywhere are nonisolated without an annotation, because their protocol is
// nonisolated. Other types that observers use on queues have to be declared `nonisolated`.

struct Saved: TypedNotification, CustomTidingsDescription {
    let number: Int
    var tidingsDescription: String { "number \(number)" }
}

struct Connected: TypedNotification {
    static var replay: NotificationReplay { .latest(of: Self.self) }
    let isOnline: Bool
}

final class Account: Sendable {}

struct Renamed: TypedNotification {
    static let replay = NotificationReplay.latest(
        keeping: { (note: Renamed) in note.name }, making: { Renamed(sender: $0, name: $1) })
    let sender: Account
    let name: String
}

struct Shown: MainActorNotification {
    static var replay: NotificationReplay { .latest(of: Self.self) }
    let title: String
}

struct OrderPlaced: RemoteNotification {
    static let wireName = "orders.placed"
    let number: Int
}

nonisolated struct Refused: Error {}

enum Message: Sendable { case opened, closed }
