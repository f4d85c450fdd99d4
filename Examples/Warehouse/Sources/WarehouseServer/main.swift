import Foundation
import Hummingbird
import Logging
import Tidings
import TidingsServer
import Warehouse

// WarehouseServer FOLDER PORT [SECONDS]
//
// The environment has what a deployment decides, and what is secret: WAREHOUSE_TOKEN, see `Settings.token`; WAREHOUSE_POSTGRES, a database of
// PostgreSQL's in which everything is kept, rather than in SQLite in the folder; WAREHOUSE_NATS, a server of NATS by whose stream orders go.
let arguments = CommandLine.arguments
guard (3...4).contains(arguments.count), let port = Int(arguments[2]),
    let limit = Int(arguments.dropFirst(3).first ?? "20")
else {
    FileHandle.standardError.write(Data("usage: WarehouseServer FOLDER PORT [SECONDS]\n".utf8))
    exit(2)
}
LoggingSystem.bootstrap { JSONLog(label: $0) }
// Metrics and spans go to the backends that a program chooses here, by `MetricsSystem.bootstrap` and `InstrumentationSystem.bootstrap`.

var settings = Settings(folder: arguments[1], stock: ["book": 1_000_000_000])
settings.limit = .seconds(limit)
let environment = ProcessInfo.processInfo.environment
settings.token = environment["WAREHOUSE_TOKEN"]
settings.stream = environment["WAREHOUSE_NATS"]
settings.monitors = [
    LoggingMonitor(Logger(label: "warehouse.notifications")), MetricsMonitor(), TracingMonitor(),
]
if let server = environment["WAREHOUSE_POSTGRES"] {
    try await Warehouse(settings, inPostgres: server).application(port: port).runService()
} else {
    try await Warehouse(settings).application(port: port).runService()
}
