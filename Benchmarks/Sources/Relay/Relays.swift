import Foundation
import Synchronization
import Tidings
import TidingsNATS

/// A relay with its center, which runs until this is released.
final class RunningRelay: Sendable {
    let center = NativeNotificationCenter()
    let relay: NotificationRelay
    private let task: Task<Void, Never>
    private let faults: NotificationToken

    init(_ url: String, _ name: String, _ routes: [RelayRoute], _ change: (inout RelayOptions) -> Void = { _ in }) throws {
        var options = RelayOptions(name: name)
        change(&options)
        let relay = try NotificationRelay(center, to: NATSServer(url), options: options, routes)
        self.relay = relay
        task = Task { await relay.run() }
        faults = center.addObserver(for: RelayFault.self) { fault in
            FileHandle.standardError.write(Data("\(fault)\n".utf8))
        }
    }

    func ready() async { await relay.ready }

    func stop() async {
        await relay.stop(within: .seconds(2))
        await task.value
    }
}
