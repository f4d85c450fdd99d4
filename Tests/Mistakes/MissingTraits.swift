// Uses of declarations that need a trait, in a build without traits: the compiler names the trait and where to write
// it.

import Tidings
import TidingsInspector
import TidingsOutbox
import TidingsRelay
import TidingsServer

struct Logger: Sendable {}
struct Database: Sendable {}

// expect: 'LoggingMonitor' is unavailable: needs a trait: in Package.swift, add traits: \["Logging"\]
func logWithoutTheTrait(_ center: any TypedNotificationCenter) -> MonitorAttachment {
    center.attach(LoggingMonitor(Logger(), logsErrorText: true))  //!
}

// expect: 'MetricsMonitor' is unavailable: .*traits: \["Metrics"\]
func measureWithoutTheTrait(_ center: any TypedNotificationCenter) -> [MonitorAttachment] {
    [center.attach(MetricsMonitor(seriesLimit: 1_000))]  //!
}

// expect: 'TracingMonitor' is unavailable: .*traits: \["Tracing"\]
func traceWithoutTheTrait(_ center: any TypedNotificationCenter) -> MonitorAttachment {
    center.attach(TracingMonitor(), interests: .everything)  //!
}

// expect: 'ObserverService' is unavailable: .*traits: \["ServiceLifecycle"\]
func serviceOfAGroupWithoutTheTrait(_ group: ObserverGroup) async throws {
    let service = ObserverService(group, finishingWithin: .seconds(20)) { left in  //!
        for observer in left { print(observer) }
    }
    try await service.run()
}

// expect: 'serve\(on:port:announce:\)' is unavailable: .*traits: \["InspectorServer"\]
func serveWithoutTheTrait(_ center: NativeNotificationCenter) async throws {
    try await Inspector(of: center).serve()  //!
}

// expect: 'NATSServer' is unavailable: .*traits: \["NATS"\]
func serverWithoutTheTrait() {
    let server = NATSServer("nats://localhost:4222")  //!
    print(server)
}

// expect: is unavailable: .*traits: \["NATS"\]
func relayWithoutTheTrait(_ center: any TypedNotificationCenter) throws -> NotificationRelay {
    try NotificationRelay(center, to: NATSServer("nats://localhost:4222"), as: "shop", routes: [])  //!
}

// expect: 'RelayLog' is unavailable: .*traits: \["Logging"\]
func logOfARelayWithoutTheTrait(_ center: any TypedNotificationCenter) {
    let log = RelayLog(Logger(), of: center)  //!
    print(log)
}

// expect: 'measure\(with:dimensions:\)' is unavailable: .*traits: \["Metrics"\]
func measureARelayWithoutTheTrait(_ relay: NotificationRelay) {
    relay.measure()  //!
}

// expect: is unavailable: .*traits: \["GRDB"\]
func outboxWithoutTheTrait(_ database: Database, _ center: any TypedNotificationCenter) async throws {
    let outbox = try await NotificationOutbox(in: database, of: center)  //!
    print(outbox)
}

// expect: 'SQLiteInbox' is unavailable: .*traits: \["GRDB"\]
func inboxWithoutTheTrait(_ database: Database) async throws {
    let inbox = try await SQLiteInbox(in: database)  //!
    print(inbox)
}

// expect: 'LibpqConnector' is unavailable: .*traits: \["Libpq"\]
func postgresWithoutTheTrait() -> PostgresOutboxStore {
    PostgresOutboxStore(LibpqConnector("dbname=shop"))  //!
}

// expect: 'OutboxService' is unavailable: .*traits: \["ServiceLifecycle"\]
func serviceOfAnOutboxWithoutTheTrait(_ outbox: NotificationOutbox<InMemoryOutboxStore>) {
    let service = OutboxService(outbox, finishingWithin: .seconds(20))  //!
    print(service)
}

// expect: 'measure\(with:dimensions:\)' is unavailable: .*traits: \["Metrics"\]
func measureAnOutboxWithoutTheTrait(_ outbox: NotificationOutbox<InMemoryOutboxStore>) {
    outbox.measure()  //!
}
