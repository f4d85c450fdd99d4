import Foundation
import Tidings
import TidingsInspector

// A program at its worst: it serves its inspector, blocks every thread of the cooperative pool, says where the inspector is, and ends when
// its standard input does.

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

/// Waits for what never comes, on whatever thread.
func blockForEver() { DispatchSemaphore(value: 0).wait() }

let entered = DispatchSemaphore(value: 0)
let count = ProcessInfo.processInfo.activeProcessorCount
// One more than there are threads, whose turn never comes.
let blocked = (0...count).map { _ in Blocked(entered) }
for one in blocked { center.addObserver(one, on: .actor, for: Ping.self) { one, _ in one.block() } }
center.post(Ping())
let thread = Thread { [address] in
    for _ in 0..<count { entered.wait() }
    print(address)
    fflush(nil)
}
thread.start()
// Whoever has started it may be gone without having ended it.
Thread.detachNewThread {
    while FileHandle.standardInput.availableData.isEmpty == false {}
    exit(0)
}
blockForEver()
withExtendedLifetime(blocked) {}
