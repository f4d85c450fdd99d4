import ServiceLifecycle
import Tidings
import TidingsOutbox
import TidingsServer

#if NATS
    import TidingsRelay

    /// An order goes to those who ship it: on another machine, as far as this server knows.
    struct OrderSent: RemoteNotification {
        static let wireName = "warehouse.sent"
        let order: Order
    }

    /// The way of orders to those who ship them, through a stream of NATS's.
    ///
    /// The outbox sends an order with the identity of its row, and notes it when the stream has it: a server that is killed between the two
    /// sends it again, and the stream drops the second one. Those who ship it are this program again, so that one sample shows both ends.
    /// They note it, as `sent`, with an inbox: what the stream delivers twice has its effect once.
    actor Shipping {
        private let relay: NotificationRelay

        init(to address: String, of center: any TypedNotificationCenter) throws {
            relay = try NotificationRelay(
                center, to: NATSServer(address), as: "warehouse",
                routes: [
                    .durable(OrderSent.self, .incoming, stream: "ORDERS", group: "shipping", from: .stored)
                        .taking { $0.inProgress = 64 }
                ])
        }

        nonisolated var services: [any Service] { [relay] }

        /// - Parameters:
        ///   - outbox: What has the orders.
        ///   - storage: Where it is noted that one has arrived.
        ///   - center: Where it arrives.
        ///   - observers: What holds the observers, and ends them.
        nonisolated func begin(
            _ outbox: NotificationOutbox<some OutboxStore>, _ storage: any Storage,
            _ center: any TypedNotificationCenter, _ observers: ObserverGroup
        ) {
            outbox.addObserver(
                self, named: Effects.Kind.sent.rawValue, on: .actor, forStored: OrderPlaced.self,
                ordered: .by(\.order.id)
            ) { me, stored in try await me.send(stored) }
            .store(in: observers)
            center.addObserver(on: .task, for: RelayedNotification<OrderSent>.self) { received in
                try await storage.add(.sent, of: received, received.notification.order)
            }
            .store(in: observers)
        }

        private func send(_ stored: StoredNotification<OrderPlaced>) async throws {
            try await relay.send(OrderSent(order: stored.notification.order), id: stored.id)
        }
    }
#else
    /// Cannot be made: the server was built without the trait `NATS`.
    actor Shipping {
        init(to address: String, of center: any TypedNotificationCenter) throws { throw NotBuilt(trait: "NATS") }

        nonisolated var services: [any Service] { [] }
        nonisolated func begin(
            _ outbox: NotificationOutbox<some OutboxStore>, _ storage: any Storage,
            _ center: any TypedNotificationCenter, _ observers: ObserverGroup
        ) {}
    }
#endif
