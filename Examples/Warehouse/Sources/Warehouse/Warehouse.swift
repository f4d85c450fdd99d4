import Hummingbird
import Logging
import ServiceLifecycle
import Tidings
import TidingsOutbox
import TidingsServer

/// The settings of a deployment or of a test.
public struct Settings: Sendable {
    /// The folder of the orders and of the log of refusals.
    let folder: String
    /// The initial pieces in stock, for items that the database doesn't contain yet.
    let stock: [String: Int]
    /// The token of a request that may see the observers, or `nil` to reject all such requests.
    public var token: String?
    /// The monitors of the center and of the audit bus.
    public var monitors: [any NotificationMonitor] = []
    /// The thresholds for warnings, and for the routes `/ready` and `/alive`.
    public var thresholds = WarningThresholds()
    /// The NATS server whose stream receives the orders, such as `nats://127.0.0.1:4222`. If it is `nil`, no order is
    /// sent through a stream, and an observer only records the effect `sent`.
    public var stream: String?
    /// The parts of the effects that happen outside the database.
    var outside: [Effects.Kind: Effects.Outside] = [:]
    /// The time for which a shutdown waits for the effects of orders. The remaining effects happen after the next
    /// start.
    public var limit = Duration.seconds(20)

    /// - Parameters:
    ///   - folder: The folder of the orders and of the log of refusals.
    ///   - stock: The initial pieces in stock, for items that the database doesn't contain yet.
    public init(folder: String, stock: [String: Int]) {
        self.folder = folder
        self.stock = stock
    }
}

/// A warehouse with all of its parts.
public struct Warehouse<Store: OutboxStore>: Sendable {
    let settings: Settings
    let stock: Stock
    let storage: any Storage<Store>
    let outbox: NotificationOutbox<Store>
    let audit = MessageBus<AuditMessage>()
    let center: any TypedNotificationCenter
    private let observers: ObserverGroup
    private let attachments: [MonitorAttachment]
    private let shipping: Shipping?
    private let logger: Logger

    /// Creates the parts around a storage. The storage is opened after the monitors are attached.
    init(
        _ settings: Settings, center: any TypedNotificationCenter, logger: Logger,
        opening open: () async throws -> any Storage<Store>
    ) async throws {
        self.settings = settings
        self.center = center
        self.logger = logger
        // The monitors are attached before any observer registers, so that they receive all events.
        var attachments: [MonitorAttachment] = []
        for monitor in settings.monitors {
            attachments.append(center.attach(monitor, thresholds: settings.thresholds))
            attachments.append(audit.attach(monitor, thresholds: settings.thresholds))
        }
        self.attachments = attachments
        storage = try await open()
        outbox = storage.outbox
        stock = Stock(storage: storage, center: center)
        observers = ObserverGroup("warehouse", finishing: center)
        observers.add(try AuditLog(path: "\(settings.folder)/refused.log"), to: audit)

        // Each order is delivered at least once, even if a process dies, and the inbox records each effect once. Orders
        // don't wait for each other.
        shipping = try settings.stream.map { [storage, observers] in
            try Shipping(to: $0, of: center, storage, observers)
        }
        for kind in Effects.Kind.allCases where kind != .sent || shipping == nil {
            let effects = Effects(kind, in: storage, outside: settings.outside[kind])
            outbox.addObserver(
                effects, named: kind.rawValue, on: .actor, forStored: OrderPlaced.self, ordered: .by(\.order.id)
            ) { me, stored in try await me.add(stored) }
            .store(in: observers)
        }
        // Logs the faults of the outbox, except for observers that fail or hang, which the monitors report.
        center.addObserver(for: OutboxFault.self, where: { ![.observerFailed, .observerHangs].contains($0.kind) }) {
            let metadata: Logger.Metadata = ["tidings.observer": "\($0.observer ?? "none")", "detail": "\($0.detail)"]
            logger.log(
                level: $0.kind == .storeRecovered ? .notice : .error, "outbox: \($0.kind.rawValue)", metadata: metadata)
        }
        .store(in: observers)
    }

    /// The observers as services. During a graceful shutdown they handle the notifications that were already accepted.
    /// Stored notifications that aren't handled within `Settings.limit` stay in the table.
    var services: [any Service] {
        // The relays are shut down last, so that they send what the other services store during the shutdown.
        (shipping?.services ?? []) + [
            ObserverService(observers, finishingWithin: settings.limit) { [logger] left in
                for observer in left { logger.error("not finished", metadata: ["tidings.observer": "\(observer)"]) }
            },
            OutboxService(outbox, finishingWithin: settings.limit) { [logger] left in
                for observer in left {
                    logger.warning(
                        "notifications left in the table",
                        metadata: ["tidings.observer": "\(observer.name)", "count": "\(observer.backlog)"])
                }
            },
        ]
    }

    var router: Router<BasicRequestContext> { routes(of: self) }

    /// The server, which finishes the requests it has started before it ends.
    public func application(port: Int) -> some ApplicationProtocol {
        var application = Application(
            router: router,
            configuration: .init(address: .hostname("127.0.0.1", port: port)), logger: logger)
        // Services shut down in reverse order, and the server is the last in the list. The server therefore ends before
        // the other services are shut down, and posts nothing during their shutdown.
        for service in services { application.addServices(service) }
        return application
    }
}

extension Warehouse where Store == SQLiteOutboxStore {
    /// - Parameters:
    ///   - settings: The settings of the deployment.
    ///   - center: The center that connects the parts of the server. Tests pass a recording one.
    ///   - logger: The server's logger.
    /// - Throws: An error if a file can't be opened.
    public init(
        _ settings: Settings, center: any TypedNotificationCenter = NativeNotificationCenter(),
        logger: Logger = Logger(label: "warehouse")
    ) async throws {
        try await self.init(settings, center: center, logger: logger) {
            try await SQLiteStorage(
                path: "\(settings.folder)/orders.sqlite", stock: settings.stock, center: center)
        }
    }
}
