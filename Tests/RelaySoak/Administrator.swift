import Foundation
import Tidings

@testable import TidingsRelay

/// Asks the servers for what somebody asks who administers them. For a thread that may wait.
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

    /// The number of the server that leads a stream, as soon as one does.
    func leader(of stream: String) -> Int {
        wait {
            while true {
                let name = await self.ask("STREAM.INFO.\(stream)")?.object("cluster")?.string("leader")
                if let index = name.flatMap({ Int($0.dropFirst()) }) { return index }
                try? await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    /// Returns when all servers have all that a stream has.
    func waitUntilCurrent(_ stream: String) {
        wait {
            while true {
                let cluster = await self.ask("STREAM.INFO.\(stream)")?.object("cluster")
                let replicas = cluster?["replicas"].map { String(decoding: $0, as: UTF8.self) } ?? ""
                if cluster?.string("leader") != nil, replicas.components(separatedBy: #""current":true"#).count == 3 {
                    return
                }
                try? await Task.sleep(for: .milliseconds(200))
            }
        }
    }

    /// Gives a stream room for so many messages more, or, if it is `nil`, for all.
    func limit(_ stream: String, toMore more: Int?) {
        wait {
            while true {
                let found = await self.ask("STREAM.INFO.\(stream)")
                let count = found?.object("state")?.number("messages") ?? 0
                if let config = found?.object("config"),
                    let new = try? JSONMembers(Data(config.replacing("discard", with: #""new""#).utf8)),
                    await self.ask(
                        "STREAM.UPDATE.\(stream)", new.replacing("max_msgs", with: "\(more.map { count + $0 } ?? -1)"))
                        != nil
                {
                    return
                }
                try? await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    private func ask(_ request: String, _ body: String = "") async -> JSONMembers? {
        await relay.waitUntilReady()
        guard let link = relay.state.withLock({ $0.link }) else { return nil }
        let service = StreamService(link: link, questions: relay.questions, clock: relay.clock)
        return try? await service.ask(request, body)
    }

    private func wait<T: Sendable>(_ body: @escaping @Sendable () async -> T) -> T {
        let result = Lock<T?>(nil)
        let isThere = DispatchSemaphore(value: 0)
        Task {
            let value = await body()
            result.withLock { $0 = value }
            isThere.signal()
        }
        while true {
            isThere.wait()
            if let value = result.withLock({ $0 }) { return value }
        }
    }
}
