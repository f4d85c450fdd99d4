import Foundation
import TestSupport
import Tidings
import TidingsRelay
import TidingsTesting

struct Tick: RemoteNotification, Hashable {
    static let wireName = "test.tick"
    let poster: Int
    let number: Int
}

final class RelayedProgram: Sendable {
    let center: NativeNotificationCenter
    let relay: NotificationRelay
    let received = ReceivedValues<Tick>()
    let faults = ReceivedValues<RelayFault>()
    private let running: Task<Void, Never>
    private let tokens: [NotificationToken]

    init(
        _ name: String, _ server: NATSServer, _ routes: [RelayRoute], change: (inout RelayOptions) -> Void = { _ in }
    ) throws {
        let center = NativeNotificationCenter()
        var options = RelayOptions(name: name)
        change(&options)
        let relay = try NotificationRelay(center, to: server, options: options, routes: routes)
        self.center = center
        self.relay = relay
        tokens = [
            center.addObserver(for: RelayFault.self) { [faults] fault in
                // An attempt to connect may time out on a busy machine. The relay retries, so the fault is ignored.
                if fault.kind == .cannotConnect, fault.detail.contains("Timeout") { return }
                faults.append(fault)
            },
            center.addObserver(for: Tick.self) { [received] in received.append($0) },
        ]
        running = Task { await relay.run() }
    }

    convenience init(
        _ name: String, _ server: ServerProcess, _ routes: [RelayRoute],
        change: (inout RelayOptions) -> Void = { _ in }
    ) throws {
        try self.init(name, server.way, routes, change: change)
    }

    /// Waits for a fault of a kind. If the test is cancelled before that, the returned fault says so.
    func fault(_ kind: RelayFault.Kind) async -> RelayFault {
        await faults(kind, 1).first ?? RelayFault(kind, "the test was cancelled")
    }

    /// Waits until the faults of a kind report the given number of failures, or until the test is cancelled. Returns
    /// these faults.
    func faults(_ kind: RelayFault.Kind, _ number: Int) async -> [RelayFault] {
        while true {
            // `values` is read only once. A fault that arrives between two reads would be counted but not examined.
            let all = faults.values
            let found = all.filter { $0.kind == kind }
            if found.reduce(0, { $0 + $1.count }) >= number || Task.isCancelled { return found }
            await faults.wait(for: all.count + 1)
        }
    }

    func stop() async {
        await relay.finish()
        await running.value
    }

    deinit { running.cancel() }
}
