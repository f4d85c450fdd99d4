import Foundation
import Tidings
import TidingsInspector
import TidingsRelay

// The code that the articles about the relay show. It is only compiled here. Other suites test its behavior.

struct OrderPlaced: RemoteNotification {
    static let wireName = "orders.placed"
    let number: Int
}

private struct PriceChanged: RemoteNotification {
    static let wireName = "prices.changed"
}

private struct InvoiceDue: RemoteNotification {
    static let wireName = "invoices.due"
    let customer: String
}

private struct PriceListChanged: RemoteNotification {
    static let wireName = "prices.list.changed"
}

func runShop(_ center: NativeNotificationCenter, tokens: inout NotificationTokens) async throws {
    let server = NATSServer("nats://127.0.0.1:4222")
    let relay = try NotificationRelay(
        center, to: server, as: "shop",
        routes: [
            .durable(OrderPlaced.self, .outgoing, stream: "ORDERS"),
            .transient(PriceChanged.self),
        ])
    let running = Task { await relay.run() }
    await relay.waitUntilReady()

    let receipt = await center.deliver(OrderPlaced(number: 7))
    print(receipt)

    try await relay.publish(OrderPlaced(number: 7), id: "order-7")

    center.addObserver(for: RelayedNotification<OrderPlaced>.self) { received in
        if received.origin.deliveryCount > 1 { print("again") }
    }
    .store(in: &tokens)
    center.addObserver(for: RelayFault.self) { fault in print(fault) }.store(in: &tokens)
    await running.value
}

func connectPrinters(_ center: NativeNotificationCenter) throws -> NotificationRelay {
    let printing = RelayRoute.durable(
        InvoiceDue.self, .incoming, stream: "ORDERS", group: "printers", from: .stored)
    let routes = [printing]
    var server = NATSServer("tls://a.example:4222", "tls://b.example:4222")
    server.login = .credentials(file: "/etc/shop/shop.creds")
    let relay = try NotificationRelay(center, to: server, as: "shop", routes: routes)
    return relay
}

func takeOrders(_ center: NativeNotificationCenter, from server: NATSServer) async throws -> [RelayRoute] {
    let office = try NotificationRelay(
        center, to: server, as: "office",
        routes: [.durable(OrderPlaced.self, .incoming, stream: "ORDERS", from: .stored)])
    let relay = office
    let letters = try await relay.deadLetters()
    try await relay.redrive(letters.filter { $0.reason.hasPrefix("undecodable") })

    let orders = RelayRoute.durable(OrderPlaced.self, .incoming, stream: "ORDERS", from: .stored).consuming {
        $0.inProgressLimit = 8
        $0.retryPolicy = [.seconds(10), .seconds(60)]
        $0.deadLetterReasons = [.observerFailed]
    }
    let kept = RelayRoute.durable(OrderPlaced.self, stream: "ORDERS")
        .retention(StreamRetention(age: .seconds(30 * 24 * 3600), bytes: 10 << 30))
    return [orders, kept]
}

func shareInvoices() -> [RelayRoute] {
    // in the program that posts
    let posted = RelayRoute.durable(
        InvoiceDue.self, .outgoing, stream: "ORDERS", ordered: .by(\.customer, partitions: 32))
    // in the workers
    let printed = RelayRoute.durable(
        InvoiceDue.self, .incoming, stream: "ORDERS", group: "printers",
        ordered: .by(\.customer, partitions: 32), from: .stored)
    return [posted, printed]
}

func tellAllReplicas() -> (RelayOptions, RelayRoute) {
    var options = RelayOptions(name: "office")
    options.instance = ProcessInfo.processInfo.environment["HOSTNAME"]
    let route = RelayRoute.durable(PriceListChanged.self, stream: "PRICES", from: .latest)
        .consuming { $0.replicas = .each }
    return (options, route)
}

func watchLag(_ center: NativeNotificationCenter, _ server: NATSServer, _ routes: [RelayRoute]) throws {
    var options = RelayOptions(name: "office")
    options.version = "1.4.2"
    print(try options.permissions(for: routes))
    options.lagLimits = RelayOptions.LagLimits(age: .seconds(300), waiting: 10_000)
    let relay = try NotificationRelay(center, to: server, options: options, routes: routes)
    let health = center.health() + relay.health()
    print(health.isWell ? "well" : "\(health)")
    #if Metrics
        relay.measure()
    #endif
    let inspector = Inspector(of: center, Inspected(relay))
    print(inspector.token)
}

func storeAll(_ center: NativeNotificationCenter, _ store: (OrderPlaced) async -> Void) async {
    for await note in center.notifications(of: OrderPlaced.self) {
        await store(note)
    }  // acknowledged here
}

#if Configuration && Logging && ServiceLifecycle
    import Configuration
    import Logging
    import ServiceLifecycle
    import TidingsServer
    import UnixSignals

    func serve(
        _ center: NativeNotificationCenter, _ observers: ObserverGroup, _ server: some Service, _ routes: [RelayRoute],
        _ logger: Logger
    ) async throws {
        let config = ConfigReader(provider: EnvironmentVariablesProvider())
        let relay = try NotificationRelay(center, config: config.scoped(to: "relay"), routes: routes)
        let log = RelayLog(logger, of: center)
        let group = ServiceGroup(
            services: [relay, ObserverService(observers, finishingWithin: .seconds(5)), server],
            gracefulShutdownSignals: [.sigterm], logger: logger)
        try await group.run()
        withExtendedLifetime(log) {}
    }
#endif
