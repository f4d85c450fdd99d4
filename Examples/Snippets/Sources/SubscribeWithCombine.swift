// Notifications as a publisher. This file is compiled where Combine is available, and by the checks with a stub.
#if canImport(Combine)
    import Combine
    import Tidings
    import TidingsCombine

    final class Account: Sendable {}

    struct SubscriptionsChanged: TypedNotification {
        let sender: Account
        var subscribed: Set<Int> = []
    }

    // snippet.sink
    final class SubscriptionLog {
        private var cancellables: Set<AnyCancellable> = []

        init(of account: Account, center: any TypedNotificationCenter) {
            center.publisher(for: SubscriptionsChanged.self, sender: account)
                .map(\.subscribed.count)
                .sink { count in print("\(count) subscriptions") }
                .store(in: &cancellables)
        }
    }
// snippet.end
#endif
