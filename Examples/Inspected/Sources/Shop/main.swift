import Foundation
import Logging
import Tidings
import TidingsInspector
import TidingsServer

// A shop to inspect:
//
//     swift run --package-path Examples/Inspected Shop
//
// With --commands, the program executes commands from standard input, which the tests of the inspector's page use. With
// --night, several problems occur: one observer is slow, one is stuck, two are never called, one source line leaks
// observers, and orders are queued. With --night --blocked, every thread of the cooperative pool is blocked, too. With
// --fault NAME, the fault of this name in `Fault` occurs. With --fault NAME --monitors, the program also logs, and
// prints metrics.

let isCommanded = CommandLine.arguments.contains("--commands")
let port = ProcessInfo.processInfo.environment["SHOP_PORT"].flatMap { UInt16($0) } ?? 0
if CommandLine.arguments.contains("--night") {
    let night = Night()
    var options = Inspector.Options()
    options.token = ProcessInfo.processInfo.environment["SHOP_TOKEN"]
    options.stuckAfter = .seconds(2)
    let inspector = Inspector(of: Inspected(night.center, named: "night"), options: options)
    try await inspector.serve(port: port) { say("Inspector at \($0)") }
    night.begin(isBlocked: CommandLine.arguments.contains("--blocked"))
    while readLine() != nil {}
    exit(0)
}

if let index = CommandLine.arguments.firstIndex(of: "--fault") {
    guard let fault = CommandLine.arguments.dropFirst(index + 1).first.flatMap({ Fault(rawValue: $0) }) else {
        say("--fault needs one of \(Fault.allCases.map(\.rawValue).joined(separator: ", "))")
        exit(2)
    }
    let faults = Faults()
    var options = Inspector.Options()
    options.token = ProcessInfo.processInfo.environment["SHOP_TOKEN"]
    options.stuckAfter = .seconds(2)
    let inspector = Inspector(of: Inspected(faults.center, named: "faults"), options: options)
    try await inspector.serve(port: port) { say("Inspector at \($0)") }
    var attachments: [MonitorAttachment] = []
    if CommandLine.arguments.contains("--monitors") {
        let thresholds = WarningThresholds(call: options.stuckAfter)
        let logger = Logger(label: "shop") { StreamLogHandler.standardOutput(label: $0) }
        attachments = [
            faults.center.attach(LoggingMonitor(logger), thresholds: thresholds),
            faults.center.attach(MetricsMonitor(factory: PrintedMetrics()), thresholds: thresholds),
        ]
    }
    faults.plant(fault)
    // A separate thread waits for input, so that the main actor isn't blocked.
    Thread.detachNewThread {
        while readLine() != nil {}
        exit(0)
    }
    while true { try await Task.sleep(for: .seconds(3600)) }
    _ = attachments
}

let shop = Shop(isSlow: !isCommanded)
var options = Inspector.Options()
options.token = ProcessInfo.processInfo.environment["SHOP_TOKEN"]
let (center, audit) = (Inspected(shop.center, named: "shop"), Inspected(shop.audit, named: "audit"))
let inspector: Inspector
if isCommanded {
    let letters = try await Letters()
    options.mayChangeStored = true
    inspector = Inspector(of: center, audit, Inspected(letters.outbox, named: "letters"), options: options)
    try await inspector.serve(port: port) { say("Inspector at \($0)") }
    try await Commands(shop, letters).obey()
} else {
    inspector = Inspector(of: center, audit, options: options)
    try await inspector.serve(port: port) { say("Inspector at \($0)") }
    await shop.openAllDay()
}
inspector.stop()
