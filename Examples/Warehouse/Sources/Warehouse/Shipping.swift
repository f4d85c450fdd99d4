import ServiceLifecycle
import Tidings
import TidingsOutbox
import TidingsServer

#if NATS
    import TidingsRelay

    /// Sends orders through a NATS stream to the process that ships them.
    ///
    /// A relay sends the notifications in the outbox, each order with the identity of its row. When the stream has
    /// stored an order, the outbox records this. If this program is killed before the outbox records it, the order is
    /// sent again, and the stream drops the duplicate.
    ///
    /// The shipping process could be on another machine. Here it is this program, with a second center and a second
    /// relay, so that one sample shows both ends. The arrival of an order is recorded in the table `sent`. An inbox
    /// recognizes a notification that the stream delivers twice, so its arrival is recorded once.
    struct Shipping: Sendable {
        private let relays: [NotificationRelay]

        /// `storage` contains the outbox, and records that an order has arrived. Throws a fault if the address or a
        /// name is invalid.
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
                            .consuming { $0.inProgressLimit = 64 }
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
    struct Shipping: Sendable {
        init<Store: OutboxStore>(
            to address: String, of center: any TypedNotificationCenter, _ storage: any Storage<Store>,
            _ observers: ObserverGroup
        ) throws { throw NotBuilt(trait: "NATS") }

        var services: [any Service] { [] }
    }
#endif
