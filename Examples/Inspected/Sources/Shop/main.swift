import Foundation
import Tidings
import TidingsInspector

// A shop that can be looked into:
//
//     swift run --package-path Examples/Inspected Shop
//
// With --commands it does what its standard input asks for, which is how the page of the inspector is tested. With --night everything
// goes wrong that an inspector finds: one observer is slow, one is stuck, one line of source leaks, two are never called, and what
// orders lead to waits. With --blocked every thread of the cooperative pool is blocked beside that.

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

let shop = Shop(isSlow: !isCommanded)
var options = Inspector.Options()
options.token = ProcessInfo.processInfo.environment["SHOP_TOKEN"]
let inspector = Inspector(
    of: Inspected(shop.center, named: "shop"), Inspected(shop.audit, named: "audit"), options: options)
try await inspector.serve(port: port) { say("Inspector at \($0)") }

if isCommanded { await Commands(shop).obey() } else { await shop.openAllDay() }
inspector.stop()
