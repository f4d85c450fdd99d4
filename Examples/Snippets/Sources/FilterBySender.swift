// A notification with a sender, observed for every sender and for one.
import Tidings

// snippet.notification
final class Account: Sendable {
    let name: String
    init(name: String) { self.name = name }
}

struct SubscriptionsChanged: TypedNotification {
    let sender: Account
    var subscribed: Set<Int> = []
    var unsubscribed: Set<Int> = []
}
// snippet.end

// snippet.use
let center = NativeNotificationCenter()
let anna = Account(name: "Anna")
let ben = Account(name: "Ben")
var tokens = NotificationTokens()

center.addObserver(for: SubscriptionsChanged.self) { note in
    print("\(note.sender.name): subscribed \(note.subscribed), unsubscribed \(note.unsubscribed)")
}
.store(in: &tokens)

center.addObserver(for: SubscriptionsChanged.self, sender: anna) { note in
    print("Anna changed something.")
}
.store(in: &tokens)

center.post(SubscriptionsChanged(sender: anna, subscribed: [123], unsubscribed: [567]))
// → Anna: subscribed [123], unsubscribed [567]
// → Anna changed something.

center.post(SubscriptionsChanged(sender: ben, subscribed: [142]))
// → Ben: subscribed [142], unsubscribed []
// snippet.end
