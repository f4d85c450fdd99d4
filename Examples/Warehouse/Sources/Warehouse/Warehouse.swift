import Hummingbird
import ServiceLifecycle
import Tidings

/// Everything that a warehouse consists of, put together.
public final class Warehouse: Sendable {
    private let center: any TypedNotificationCenter
    let audit = MessageBus<AuditMessage>()
    let stock: Stock
    let projection: Projection
    private let log: AuditLog
    private let token: NotificationToken

    /// - Parameters:
    ///   - folder: Where the orders and the audit log are kept.
    ///   - pieces: The pieces in stock at the beginning.
    ///   - center: The center that all of its parts know; a recording one in tests.
    public init(
        folder: String, stock pieces: [String: Int], center: any TypedNotificationCenter = NativeNotificationCenter()
    ) throws {
        self.center = center
        stock = Stock(pieces, center: center)
        projection = try Projection(observing: center, path: "\(folder)/orders.sqlite")
        log = try AuditLog(path: "\(folder)/audit.log")
        audit.add(log)
        token = center.addObserver(for: OrderPlaced.self) { [audit] note in audit.dispatch(.placed(note.order)) }
    }

    /// The server, which finishes what it has promised before it ends.
    public func application(port: Int) -> some ApplicationProtocol {
        var application = Application(
            router: routes(stock: stock, projection: projection, audit: audit, center: center),
            configuration: .init(address: .hostname("127.0.0.1", port: port)))
        // Services are shut down last to first, and the server is the last: nothing is posted any more when this one is told.
        application.addServices(self)
        return application
    }
}

extension Warehouse: Service {
    /// Waits for the shutdown, and then for what was promised.
    public func run() async throws {
        try await gracefulShutdown()
        // First those who observe, as they may send messages, and then the bus.
        let left = await center.finish(within: .seconds(20))
        for observer in left { print("not done: \(observer)") }
        let unread = await audit.finish(within: .seconds(5))
        for consumer in unread { print("not done: \(consumer)") }
    }
}
