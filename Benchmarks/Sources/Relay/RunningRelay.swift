import Foundation
import Tidings
import TidingsRelay

final class RunningRelay: Sendable {
    let center = NativeNotificationCenter()
    let relay: NotificationRelay
    private let task: Task<Void, Never>
    private let tokens: [NotificationToken]

    /// Connects a relay to the server, and waits until the relay is ready. `observe` can register an observer before
    /// any message arrives. Throws a fault if a name is invalid.
    init(
        _ server: NATSServer, _ name: String, prefix: String, _ routes: [RelayRoute],
        observe: (NativeNotificationCenter) -> NotificationToken? = { _ in nil }
    ) async throws {
        var options = RelayOptions(name: name)
        options.subjectPrefix = prefix
        options.consumerLifetime = .seconds(10)
        let relay = try NotificationRelay(center, to: server, options: options, routes: routes)
        self.relay = relay
        let faults = center.addObserver(for: RelayFault.self) { fault in
            FileHandle.standardError.write(Data("\(fault)\n".utf8))
        }
        tokens = [faults, observe(center)].compactMap(\.self)
        task = Task { await relay.run() }
        await relay.waitUntilReady()
    }

    func finish() async {
        await relay.finish(within: .seconds(2))
        await task.value
        for token in tokens { token.cancel() }
    }

    /// Posts the given number of notifications, and waits until the stream has them.
    func store<N: Numbered>(_ type: N.Type, _ count: Int) throws -> Sample {
        let began = ContinuousClock.now
        for number in 0..<count { center.post(type.make(number)) }
        while relay.unsentCount > 0 {
            if began.duration(to: .now) > .seconds(30) {
                throw Miscount(subject: .relay(type), counted: count - relay.unsentCount, expected: count)
            }
            usleep(100)
        }
        return Sample(value: began.duration(to: .now).nanoseconds)
    }
}
