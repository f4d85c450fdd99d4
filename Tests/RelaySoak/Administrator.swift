import Foundation
import Tidings

@testable import TidingsRelay

/// Sends administrators' requests to the servers. Its methods block, so they must not be called in tasks.
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

    /// Returns the number of the server that leads a stream, as soon as there is one.
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

    /// Limits the size of a stream, which then rejects messages when it is full.
    ///
    /// The limit is set while the stream is nearly empty, and never changed. If it changed while messages are rejected,
    /// the change would reach the servers at different moments. They would then store different messages under the same
    /// number, and consumers would skip some after the loss of a leader (nats-server pull request 7607).
    func limit(_ stream: String) {
        wait { () -> Void? in
            let found = await self.ask("STREAM.INFO.\(stream)")
            guard let config = found?.object("config") else { return nil }
            let limits = config.replacing([("discard", #""new""#), ("max_bytes", "\(Self.size)")])
            return await self.ask("STREAM.UPDATE.\(stream)", limits) == nil ? nil : ()
        }
    }

    /// The size of a full stream, in bytes. The notifications of an hour take less than half of it.
    private static let size = 128 << 20

    /// Fills a stream with messages that no consumer receives.
    func fill(_ stream: String) {
        for size in [1 << 19, 1 << 14, 1 << 9, 1] {
            let body = String(repeating: "x", count: size)
            wait { () -> Void? in
                await self.relay.waitUntilReady()
                guard let service = try? self.relay.connection.service() else { return nil }
                while true {
                    let answer = try? await service.questions.ask(
                        service.link, StreamService.reserved(stream), body, at: service.clock.now)
                    guard let answer else { return nil }
                    if answer.object("error") != nil { return () }
                }
            }
        }
    }

    /// Removes the messages with which a stream was filled.
    func empty(_ stream: String) {
        wait { () -> Void? in
            let filter = #"{"filter":"\#(StreamService.reserved(stream))"}"#
            return await self.ask("STREAM.PURGE.\(stream)", filter) == nil ? nil : ()
        }
    }

    private func ask(_ request: String, _ body: String = "") async -> JSONMembers? {
        await relay.waitUntilReady()
        return try? await relay.connection.service().ask(request, body)
    }

    /// Repeats a query until it has a result.
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
