import ServiceLifecycle
import Tidings
import TidingsOutbox
import TidingsServer

#if NATS
    import TidingsRelay

    /// The way of orders to those who ship them, through a stream of NATS's.
    ///
    /// A relay sends what the outbox has, each order with the identity of its row, and the table notes it when the stream has it: a server
    /// that is killed between the two sends the order again, and the stream drops the second one. Those who ship are on another machine, as
    /// far as this server knows; they are this program again, with a center and a relay of their own, so that one sample shows both ends.
    /// They note what has arrived, as `sent`, with an inbox: what the stream delivers twice has its effect once.
    struct Shipping: Sendable {
        private let relays: [NotificationRelay]

        /// - Parameters:
        ///   - address: The server of NATS.
        ///   - center: The center of the outbox.
        ///   - storage: What has the outbox, and where it is noted that an order has arrived.
        ///   - observers: What holds the observers, and ends them.
        /// - Throws: A fault if the address, or a name, cannot be used.
        init<Store: OutboxStore>(
            to address: String, of center: any TypedNotificationCenter, _ storage: any Storage<Store>,
            _ observers: ObserverGroup
        ) throws {
            let office = NativeNotificationCenter()
            relays = [
                try NotificationRelay(
                    center, to: NATSServer(address), as: "warehouse",
                    routes: [.durable(OrderPlaced.self, .outgoing, stream: "ORDERS")], outbox: storage.outbox),
                try NotificationRelay(
                    office, to: NATSServer(address), as: "shipping",
                    routes: [
                        .durable(OrderPlaced.self, .incoming, stream: "ORDERS", group: "shipping", from: .stored)
                            .taking { $0.inProgress = 64 }
                    ]),
            ]
            office.addObserver(on: .task, for: RelayedNotification<OrderPlaced>.self) { received in
                try await storage.add(.sent, of: received, received.notification.order)
            }
            .store(in: observers)
        }

        var services: [any Service] { relays }
    }
#else
    /// Cannot be made: the server was built without the trait `NATS`.
    struct Shipping: Sendable {
        init<Store: OutboxStore>(
            to address: String, of center: any TypedNotificationCenter, _ storage: any Storage<Store>,
            _ observers: ObserverGroup
        ) throws { throw NotBuilt(trait: "NATS") }

        var services: [any Service] { [] }
    }
#endif
