import Tidings
import TidingsNATS
import TidingsRelay

// The code that the articles on the relay show. It is compiled here; the other suites run what it does.

struct OrderPlaced: RemoteNotification {
    static let wireName = "orders.placed"
    let number: Int
}

private struct PriceChanged: RemoteNotification {
    static let wireName = "prices.changed"
}

private struct InvoiceDue: RemoteNotification {
    static let wireName = "invoices.due"
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

    center.addObserver(for: RelayedNotification<OrderPlaced>.self) { received in
        if received.origin.deliveryCount > 1 { print("again") }
    }
    .store(in: &tokens)
    center.addObserver(for: RelayFault.self) { fault in print(fault) }.store(in: &tokens)
    await running.value
}

func connectPrinters(_ center: NativeNotificationCenter) throws -> NotificationRelay {
    let printing = RelayRoute.durable(InvoiceDue.self, stream: "ORDERS", group: "printers")
    let routes = [printing]
    var server = NATSServer("tls://a.example:4222", "tls://b.example:4222")
    server.login = .credentials(file: "/etc/shop/shop.creds")
    let relay = try NotificationRelay(center, to: server, as: "shop", routes: routes)
    return relay
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
