import Tidings
import TidingsFoundation
import TidingsInspector
import TidingsRelay

// What may be posted anywhere belongs to nobody, without a word: its protocol says so to the compiler. What queues use says it itself.

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
