import Foundation
import Tidings
import TidingsInspector

// A program that serves its inspector, blocks every thread of the cooperative pool, prints the address of the
// inspector, and exits when its standard input ends.

struct Ping: TypedNotification, Sendable {}

actor Blocked {
    private let entered: DispatchSemaphore
    init(_ entered: DispatchSemaphore) { self.entered = entered }

    nonisolated func block() {
        entered.signal()
        blockForEver()
    }
}

let center = NativeNotificationCenter()
var options = Inspector.Options()
options.stuckAfter = .zero
let inspector = Inspector(of: center, options: options)
let address = try await inspector.serve { _ in }

func blockForEver() { DispatchSemaphore(value: 0).wait() }

let entered = DispatchSemaphore(value: 0)
let count = ProcessInfo.processInfo.activeProcessorCount
// There is one observer more than there are threads, so one observer is never called.
let blocked = (0...count).map { _ in Blocked(entered) }
for one in blocked { center.addObserver(one, on: .actor, for: Ping.self) { one, _ in one.block() } }
center.post(Ping())
let thread = Thread { [address] in
    for _ in 0..<count { entered.wait() }
    print(address)
    fflush(nil)
}
thread.start()
// Standard input ends when the process that started this program ends or crashes. This program then exits.
Thread.detachNewThread {
    while FileHandle.standardInput.availableData.isEmpty == false {}
    exit(0)
}
blockForEver()
withExtendedLifetime(blocked) {}
