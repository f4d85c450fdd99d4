import CoreMetrics
import Foundation
import Hummingbird
import Logging
import Tidings
import TidingsServer
import Tracing
import Warehouse

// MeasuredServer FOLDER PORT none|monitors|backends
let arguments = CommandLine.arguments
guard arguments.count == 4, let port = Int(arguments[2]),
    ["none", "monitors", "backends"].contains(arguments[3])
else {
    FileHandle.standardError.write(Data("usage: MeasuredServer FOLDER PORT none|monitors|backends\n".utf8))
    exit(2)
}
LoggingSystem.bootstrap { JSONLog(label: $0) }
if arguments[3] == "backends" {
    MetricsSystem.bootstrap(AtomicMetrics())
    InstrumentationSystem.bootstrap(CountingTracer())
}

var settings = Settings(folder: arguments[1], stock: ["book": 1_000_000_000])
settings.limit = .seconds(120)
if arguments[3] != "none" {
    settings.monitors = [
        LoggingMonitor(Logger(label: "warehouse.notifications"), logsErrorText: true), MetricsMonitor(),
        TracingMonitor(),
    ]
}
try await Warehouse(settings).application(port: port).runService()
