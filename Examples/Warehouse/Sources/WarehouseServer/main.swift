import Foundation
import Hummingbird
import Logging
import Tidings
import TidingsServer
import Warehouse

// WarehouseServer FOLDER PORT [SECONDS]
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
settings.token = ProcessInfo.processInfo.environment["WAREHOUSE_TOKEN"]
settings.monitors = [
    LoggingMonitor(Logger(label: "warehouse.notifications")), MetricsMonitor(), TracingMonitor(),
]
try await Warehouse(settings).application(port: port).runService()
