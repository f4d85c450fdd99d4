// A late observer begins with the latest notification if the type requests it.
import Tidings

final class Account: Sendable {}

// snippet.type
struct ConnectionChanged: TypedNotification, Sendable {
    static var replay: NotificationReplay { .latest(of: Self.self) }
    let isOnline: Bool
}
// snippet.end

// snippet.weak
struct NameChanged: TypedNotification, Sendable {
    static var replay: NotificationReplay { .latest(of: Self.self) }
    weak var sender: Account?
    let name: String
}
// snippet.end

// snippet.rebuilt
struct SubscriptionsChanged: TypedNotification, Sendable {
    static let replay = NotificationReplay.latest(
        keeping: { (note: SubscriptionsChanged) in note.subscribed },
        making: { SubscriptionsChanged(sender: $0, subscribed: $1) })
    let sender: Account
    var subscribed: Set<Int> = []
}
// snippet.end

let center = NativeNotificationCenter()
var tokens: [NotificationToken] = []

// snippet.observe
center.post(ConnectionChanged(isOnline: false))
center.post(ConnectionChanged(isOnline: true))
center.addObserver(for: ConnectionChanged.self) { note in print("online: \(note.isOnline)") }.store(in: &tokens)
// → online: true
center.post(ConnectionChanged(isOnline: false))
// → online: false
// snippet.end

// snippet.senders
let (anna, ben) = (Account(), Account())
center.post(NameChanged(sender: anna, name: "Anna"))
center.post(NameChanged(sender: ben, name: "Ben"))
center.addObserver(for: NameChanged.self, sender: anna) { note in print("anna is \(note.name)") }.store(in: &tokens)
// → anna is Anna
center.addObserver(for: NameChanged.self) { note in print("somebody is \(note.name)") }.store(in: &tokens)
// → somebody is Ben
// snippet.end

// snippet.wait
let state = await center.first(of: ConnectionChanged.self) { note in !note.isOnline }
print("first: \(state?.isOnline == false)")
// → first: true
// snippet.end

center.post(SubscriptionsChanged(sender: anna, subscribed: [1]))
center.addObserver(for: SubscriptionsChanged.self, sender: anna) { note in print(note.subscribed) }.store(in: &tokens)
// → [1]
withExtendedLifetime((anna, ben)) {}
