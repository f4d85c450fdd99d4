// Views that observe while they are on the screen. This file is compiled where SwiftUI is available, and by the checks
// with a stub.
#if canImport(SwiftUI)
    import SwiftUI
    import Tidings
    import TidingsSwiftUI

    final class Account: Sendable {}

    struct SubscriptionsChanged: TypedNotification {
        let sender: Account
        var subscribed: Set<Int> = []
    }

    struct AccountChosen: MainActorNotification {
        let sender: Account
    }

    // snippet.view
    struct SubscriptionCount: View {
        let account: Account
        @State private var count = 0

        var body: some View {
            Text("\(count)")
                .onNotification(of: SubscriptionsChanged.self, sender: account) { note in
                    count = note.subscribed.count
                }
        }
    }
    // snippet.end

    // snippet.environment
    struct MainView: View {
        let center: any TypedNotificationCenter
        let account: Account

        var body: some View {
            SubscriptionCount(account: account)
                .environment(\.typedNotificationCenter, center)
        }
    }
    // snippet.end

    // snippet.post
    struct AccountRow: View {
        let account: Account
        @Environment(\.typedNotificationCenter) private var center
        @State private var isChosen = false

        var body: some View {
            Text(isChosen ? "chosen" : "choose")
                .onTapGesture { center.post(AccountChosen(sender: account)) }
                .onNotification(of: AccountChosen.self) { note in isChosen = note.sender === account }
        }
    }
// snippet.end
#endif
