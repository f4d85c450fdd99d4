import GRDB
import Hummingbird
import ServiceLifecycle
import Tidings
import TidingsOutbox
import TidingsServer

/// Everything that a warehouse consists of, put together.
public struct Warehouse: Sendable {
    let stock: Stock
    let database: DatabasePool
    let outbox: NotificationOutbox<SQLiteStore>
    let audit = MessageBus<AuditMessage>()
    private let center: any TypedNotificationCenter
    private let observers: ObserverGroup
    private let limit: Duration

    /// - Parameters:
    ///   - folder: Where the orders and the log of refusals are kept.
    ///   - pieces: The pieces in stock at the beginning, unless the folder knows better.
    ///   - center: The center that all of its parts know; a recording one in tests.
    ///   - limit: How long a shutdown waits for what follows from the orders. The rest is done after the next start.
    /// - Throws: The error of a file that cannot be opened.
    public init(
        folder: String, stock pieces: [String: Int], center: any TypedNotificationCenter = NativeNotificationCenter(),
        finishingWithin limit: Duration = .seconds(20)
    ) async throws {
        self.center = center
        self.limit = limit
        database = try DatabasePool(path: "\(folder)/orders.sqlite")
        outbox = try await NotificationOutbox(in: database, of: center)
        stock = try await Stock(pieces, in: database, outbox, center: center)
        observers = ObserverGroup("warehouse", finishing: center)
        observers.add(try AuditLog(path: "\(folder)/refused.log"), to: audit)

        // What follows from an order, each at least once whatever dies, and by the inbox once. Orders do not wait for each other.
        let inbox = try await SQLiteInbox(in: database)
        for kind in Effects.Kind.allCases {
            let effects = try await Effects(kind, in: database, inbox)
            outbox.addObserver(
                effects, named: kind.rawValue, on: .actor, forStored: OrderPlaced.self, ordered: .by(\.order.id)
            ) { me, stored in try await me.add(stored) }
            .store(in: observers)
        }
    }

    /// The observers as services: at the graceful shutdown they handle what was promised, and end. What is left is left in the table.
    var services: [any Service] {
        [
            ObserverService(observers, finishingWithin: limit) { left in
                for observer in left { print("not finished: \(observer)") }
            },
            OutboxService(outbox, finishingWithin: limit) { left in
                for observer in left { print("left in the table: \(observer)") }
            },
        ]
    }

    /// What the server answers.
    var router: Router<BasicRequestContext> {
        routes(stock: stock, database: database, outbox: outbox, audit: audit, center: center)
    }

    /// The server, which finishes what it has begun before it ends.
    public func application(port: Int) -> some ApplicationProtocol {
        var application = Application(
            router: router,
            configuration: .init(address: .hostname("127.0.0.1", port: port)))
        // Services are shut down last to first, and the server is the last: nothing is posted any more when these are told.
        for service in services { application.addServices(service) }
        return application
    }
}
