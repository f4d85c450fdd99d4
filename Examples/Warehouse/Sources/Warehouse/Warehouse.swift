import Hummingbird
import Logging
import ServiceLifecycle
import Tidings
import TidingsOutbox
import TidingsServer

/// What a deployment, or a test, decides.
public struct Settings: Sendable {
    /// Where the orders and the log of refusals are kept.
    let folder: String
    /// The pieces in stock at the beginning, unless the folder knows better.
    let stock: [String: Int]
    /// What a request shows that may see who observes; `nil`: none may.
    public var token: String?
    /// Who is told what happens in the center and in the audit bus.
    public var monitors: [any NotificationMonitor] = []
    /// When they are warned, and when the server is not ready.
    public var thresholds = WarningThresholds()
    /// The server of NATS to whose stream orders are sent, such as `nats://127.0.0.1:4222`; `nil`: none, and `sent` is a row alone.
    public var stream: String?
    /// What effects do outside the database.
    var outside: [Effects.Kind: Effects.Outside] = [:]
    /// How long a shutdown waits for what follows from the orders. The rest is done after the next start.
    public var limit = Duration.seconds(20)

    /// - Parameters:
    ///   - folder: Where the orders and the log of refusals are kept.
    ///   - stock: The pieces in stock at the beginning, unless the folder knows better.
    public init(folder: String, stock: [String: Int]) {
        self.folder = folder
        self.stock = stock
    }
}

/// Everything that a warehouse consists of, put together.
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

    /// Puts everything together around a storage, which is opened once somebody hears of what goes wrong with it.
    init(
        _ settings: Settings, center: any TypedNotificationCenter, logger: Logger,
        opening open: () async throws -> any Storage<Store>
    ) async throws {
        self.settings = settings
        self.center = center
        self.logger = logger
        // Attached before anybody observes, so that they are told of everything.
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

        // What follows from an order, each at least once whatever dies, and by the inbox once. Orders do not wait for each other.
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
        // An observer that fails, or hangs, is the monitors' affair.
        center.addObserver(for: OutboxFault.self, where: { ![.observerFailed, .observerHangs].contains($0.kind) }) {
            let metadata: Logger.Metadata = ["tidings.observer": "\($0.observer ?? "none")", "detail": "\($0.detail)"]
            logger.log(
                level: $0.kind == .storeRecovered ? .notice : .error, "outbox: \($0.kind.rawValue)", metadata: metadata)
        }
        .store(in: observers)
    }

    /// The observers as services: at the graceful shutdown they handle what was promised, and end. What is left is left in the table.
    var services: [any Service] {
        // The relays are told last: they send what others store before they end.
        (shipping?.services ?? []) + [
            ObserverService(observers, finishingWithin: settings.limit) { [logger] left in
                for observer in left { logger.error("not finished", metadata: ["tidings.observer": "\(observer)"]) }
            },
            OutboxService(outbox, finishingWithin: settings.limit) { [logger] left in
                for observer in left {
                    logger.warning(
                        "left in the table",
                        metadata: ["tidings.observer": "\(observer.name)", "count": "\(observer.backlog)"])
                }
            },
        ]
    }

    /// What the server answers.
    var router: Router<BasicRequestContext> { routes(of: self) }

    /// The server, which finishes what it has begun before it ends.
    public func application(port: Int) -> some ApplicationProtocol {
        var application = Application(
            router: router,
            configuration: .init(address: .hostname("127.0.0.1", port: port)), logger: logger)
        // Services are shut down last to first, and the server is the last: nothing is posted any more when these are told.
        for service in services { application.addServices(service) }
        return application
    }
}

extension Warehouse where Store == SQLiteOutboxStore {
    /// - Parameters:
    ///   - settings: What a deployment decides.
    ///   - center: The center that all of its parts know; a recording one in tests.
    ///   - logger: Where the server logs.
    /// - Throws: The error of a file that cannot be opened.
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
