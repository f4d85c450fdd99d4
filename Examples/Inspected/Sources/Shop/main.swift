import Foundation
import Tidings
import TidingsInspector

// A shop that can be looked into:
//
//     swift run --package-path Examples/Inspected Shop
//
// With --commands it does what its standard input asks for, which is how the page of the inspector is tested.

let isCommanded = CommandLine.arguments.contains("--commands")
let shop = Shop(isSlow: !isCommanded)
var options = Inspector.Options()
options.token = ProcessInfo.processInfo.environment["SHOP_TOKEN"]
let inspector = Inspector(
    of: Inspected(shop.center, named: "shop"), Inspected(shop.audit, named: "audit"), options: options)
let port = ProcessInfo.processInfo.environment["SHOP_PORT"].flatMap { UInt16($0) } ?? 0
try await inspector.serve(port: port) { say("Inspector at \($0)") }

if isCommanded { await Commands(shop).obey() } else { await shop.openAllDay() }
inspector.stop()
