import Foundation
import Tidings
import TidingsInspector

// A shop that can be looked into:
//
//     swift run --package-path Examples/Inspected Shop
//
// With --commands it does what its standard input asks for, which is how the page of the inspector is tested. With --night everything
// goes wrong that an inspector finds: one observer is slow, one is stuck, one line of source leaks, two are never called, and what
// orders lead to waits. With --blocked every thread of the cooperative pool is blocked beside that. With --fault NAME one thing goes wrong
// that a service is examined for: `Fault` has the names.

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
        say("--fault is followed by one of \(Fault.allCases.map(\.rawValue).joined(separator: ", "))")
        exit(2)
    }
    let faults = Faults()
    var options = Inspector.Options()
    options.token = ProcessInfo.processInfo.environment["SHOP_TOKEN"]
    options.stuckAfter = .seconds(2)
    let inspector = Inspector(of: Inspected(faults.center, named: "faults"), options: options)
    try await inspector.serve(port: port) { say("Inspector at \($0)") }
    faults.plant(fault)
    // The main actor stays free for what belongs to it.
    Thread.detachNewThread {
        while readLine() != nil {}
        exit(0)
    }
    while true { try await Task.sleep(for: .seconds(3600)) }
}

let shop = Shop(isSlow: !isCommanded)
var options = Inspector.Options()
options.token = ProcessInfo.processInfo.environment["SHOP_TOKEN"]
let inspector = Inspector(
    of: Inspected(shop.center, named: "shop"), Inspected(shop.audit, named: "audit"), options: options)
try await inspector.serve(port: port) { say("Inspector at \($0)") }

if isCommanded { await Commands(shop).obey() } else { await shop.openAllDay() }
inspector.stop()
