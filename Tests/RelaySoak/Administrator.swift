import Foundation
import Tidings

@testable import TidingsRelay

/// Queries and changes the streams of the cluster. The methods block the thread, so don't call them in tasks.
final class Administrator: Sendable {
    private let relay: NotificationRelay
    private let running: Task<Void, Never>

    init(addresses: [String]) throws {
        var server = NATSServer()
        server.addresses = addresses
        let relay = try NotificationRelay(NativeNotificationCenter(), to: server, as: "administrator", routes: [])
        self.relay = relay
        running = Task { await relay.run() }
    }

    deinit { running.cancel() }

    func leader(of stream: String) -> Int {
        wait {
            let name = await self.ask("STREAM.INFO.\(stream)")?.object("cluster")?.string("leader")
            return name.flatMap { Int($0.dropFirst()) }
        }
    }

    /// Returns when all servers have the whole stream.
    func waitUntilCurrent(_ stream: String) {
        wait { () -> Void? in
            let cluster = await self.ask("STREAM.INFO.\(stream)")?.object("cluster")
            let replicas = cluster?["replicas"].map { String(decoding: $0, as: UTF8.self) } ?? ""
            let isCurrent = replicas.components(separatedBy: #""current":true"#).count == 3
            return cluster?.string("leader") != nil && isCurrent ? () : nil
        }
    }

    /// Limits the stream to its present number of messages plus `more`. If `more` is `nil`, removes the limit.
    func limit(_ stream: String, toMore more: Int?) {
        wait { () -> Void? in
            let found = await self.ask("STREAM.INFO.\(stream)")
            let count = found?.object("state")?.number("messages") ?? 0
            guard let config = found?.object("config") else { return nil }
            let limits = config.replacing([
                ("discard", #""new""#), ("max_msgs", "\(more.map { count + $0 } ?? -1)"),
            ])
            return await self.ask("STREAM.UPDATE.\(stream)", limits) == nil ? nil : ()
        }
    }

    private func ask(_ request: String, _ body: String = "") async -> JSONMembers? {
        await relay.waitUntilReady()
        return try? await relay.connection.service().ask(request, body)
    }

    private func wait<T: Sendable>(_ look: @escaping @Sendable () async -> T?) -> T {
        let result = Lock<T?>(nil)
        let isThere = DispatchSemaphore(value: 0)
        Task {
            var found = await look()
            while found == nil {
                // The pause gives the servers time between queries.
                try? await relay.context.clock.sleep(for: .milliseconds(100))
                found = await look()
            }
            result.withLock { $0 = found }
            isThere.signal()
        }
        while true {
            isThere.wait()
            if let value = result.withLock({ $0 }) { return value }
        }
    }
}
