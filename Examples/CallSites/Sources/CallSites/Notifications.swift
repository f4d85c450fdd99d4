import TidingsFoundation

final class Account: Sendable {}

struct SubscriptionsChanged: TypedNotification {
    let sender: Account
    var subscribed: Set<Int> = []
}

struct CacheCleared: TypedNotification {}

struct ConnectionChanged: TypedNotification {
    static var replay: NotificationReplay { .latest(of: Self.self) }
    let isOnline: Bool
}

final class View {}

struct WillShow: MainActorNotification { let view: View }

enum AppMessage: Sendable {
    enum Event { case opened, closed }
    case article(Int, Event)
}
