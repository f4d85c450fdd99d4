// Models that views observe, and that observe notifications for as long as they live.
import Observation
import Tidings

final class Account: Sendable {}

struct SubscriptionsChanged: TypedNotification {
    let sender: Account
    var subscribed: Set<Int> = []
}

struct MailArrived: TypedNotification {
    let sender: Account
}

struct KeyboardWillShow: MainActorNotification {
    let height: Double
}

// snippet.model
@Observable @MainActor
final class Subscriptions {
    private(set) var subscribed: Set<Int> = []
    private(set) var bottom = 0.0

    init(of account: Account, center: any TypedNotificationCenter) {
        center.addObserver(self, on: .main, for: SubscriptionsChanged.self, sender: account) { me, note in
            me.subscribed = note.subscribed
        }
        center.addObserver(self, for: KeyboardWillShow.self) { me, note in me.bottom = note.height }
    }
}
// snippet.end

let center = NativeNotificationCenter()
let account = Account()

// snippet.use
let model = Subscriptions(of: account, center: center)
withObservationTracking {
    _ = model.subscribed
} onChange: {
    print("a view would be updated")
}
await center.deliver(SubscriptionsChanged(sender: account, subscribed: [7]))
// → a view would be updated
center.post(KeyboardWillShow(height: 250))
print(model.bottom)
// → 250.0
// snippet.end

// snippet.life
var another: Subscriptions? = Subscriptions(of: account, center: center)
print("observers: \(center.observations.count)")
// → observers: 4
another = nil
print("observers: \(center.observations.count)")
// → observers: 2
// snippet.end

// snippet.switch
@Observable @MainActor
final class Inbox {
    private(set) var unread = 0
    @ObservationIgnored private var token: NotificationToken?
    private let center: any TypedNotificationCenter

    init(center: any TypedNotificationCenter) { self.center = center }

    func show(_ account: Account) {
        unread = 0
        token?.cancel()
        token = center.addObserver(self, on: .main, for: MailArrived.self, sender: account) { me, _ in me.unread += 1 }
    }
}
// snippet.end

let accounts = [Account(), Account()]
let inbox = Inbox(center: center)
inbox.show(accounts[0])
inbox.show(accounts[1])
for account in accounts { await center.deliver(MailArrived(sender: account)) }
print("unread: \(inbox.unread)")
// → unread: 1
