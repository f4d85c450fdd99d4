import Hummingbird
import ServiceLifecycle
import Tidings
import TidingsService

/// Everything that a warehouse consists of, put together.
public struct Warehouse: Sendable {
    let stock: Stock
    let projection: Projection
    let audit = MessageBus<AuditMessage>()
    private let center: any TypedNotificationCenter
    private let observers: ObserverGroup

    /// - Parameters:
    ///   - folder: Where the orders and the audit log are kept.
    ///   - pieces: The pieces in stock at the beginning.
    ///   - center: The center that all of its parts know; a recording one in tests.
    /// - Throws: The error of a file that cannot be opened.
    public init(
        folder: String, stock pieces: [String: Int], center: any TypedNotificationCenter = NativeNotificationCenter()
    ) throws {
        self.center = center
        stock = Stock(pieces, center: center)
        projection = try Projection(path: "\(folder)/orders.sqlite")

        // The group holds all who observe. It finishes the center first, and then the bus, as observers send messages to it.
        observers = ObserverGroup("warehouse", finishing: center)
        observers.add(try AuditLog(path: "\(folder)/audit.log"), to: audit)
        center.addObserver(on: projection, for: OrderPlaced.self) { me, note in try await me.store(note.order) }
            .store(in: observers)
        center.addObserver(for: OrderPlaced.self) { [audit] note in audit.dispatch(.placed(note.order)) }
            .store(in: observers)
    }

    /// The observers as a service: at the graceful shutdown it handles what was promised, and ends.
    var service: ObserverService {
        ObserverService(observers, finishingWithin: .seconds(20)) { left in
            for observer in left { print("not finished: \(observer)") }
        }
    }

    /// What the server answers.
    var router: Router<BasicRequestContext> {
        routes(stock: stock, projection: projection, audit: audit, center: center)
    }

    /// The server, which finishes what it has promised before it ends.
    public func application(port: Int) -> some ApplicationProtocol {
        var application = Application(
            router: router,
            configuration: .init(address: .hostname("127.0.0.1", port: port)))
        // Services are shut down last to first, and the server is the last: nothing is posted any more when this one is told.
        application.addServices(service)
        return application
    }
}
