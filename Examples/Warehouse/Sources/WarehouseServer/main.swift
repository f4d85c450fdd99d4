import Foundation
import Hummingbird
import Logging
import Tidings
import TidingsServer
import Warehouse

// WarehouseServer FOLDER PORT [SECONDS]
//
// The environment contains the settings of a deployment and the secrets. WAREHOUSE_TOKEN is `Settings.token`.
// WAREHOUSE_POSTGRES is a PostgreSQL database that replaces SQLite in the folder. WAREHOUSE_NATS is a NATS server whose
// stream carries the orders.
let arguments = CommandLine.arguments
guard (3...4).contains(arguments.count), let port = Int(arguments[2]),
    let limit = Int(arguments.dropFirst(3).first ?? "20")
else {
    FileHandle.standardError.write(Data("usage: WarehouseServer FOLDER PORT [SECONDS]\n".utf8))
    exit(2)
}
LoggingSystem.bootstrap { JSONLog(label: $0) }
// A program chooses the backends of metrics and spans here, with `MetricsSystem.bootstrap` and
// `InstrumentationSystem.bootstrap`.

var settings = Settings(folder: arguments[1], stock: ["book": 1_000_000_000])
settings.limit = .seconds(limit)
let environment = ProcessInfo.processInfo.environment
settings.token = environment["WAREHOUSE_TOKEN"]
settings.stream = environment["WAREHOUSE_NATS"]
settings.monitors = [
    LoggingMonitor(Logger(label: "warehouse.notifications"), logsErrorText: true), MetricsMonitor(), TracingMonitor(),
]
if let server = environment["WAREHOUSE_POSTGRES"] {
    try await Warehouse(settings, inPostgres: server).application(port: port).runService()
} else {
    try await Warehouse(settings).application(port: port).runService()
}
