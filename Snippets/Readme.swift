// What the readme shows first.
import Tidings

final class Account: Sendable {}

struct SubscriptionsChanged: TypedNotification {
    let sender: Account
    var subscribed: Set<Int> = []
}

let center = NativeNotificationCenter()
let account = Account()
let token = center.addObserver(for: SubscriptionsChanged.self, sender: account) { note in
    print("subscribed to \(note.subscribed)")
}
center.post(SubscriptionsChanged(sender: account, subscribed: [123]))  // prints: subscribed to [123]
// → subscribed to [123]
