import Foundation
import TestSupport
import Testing
import Tidings
import TidingsTesting

@testable import RelaySoak
@testable import TidingsRelay

final class ServerCluster: Sendable {
    let servers: [ServerProcess]

    init(isEncrypted: Bool = false) throws {
        let keys: KeyFolder? = isEncrypted ? try .ofServers() : nil
        let ports = try (0..<3).map { _ in try freePort() }
        let routes = ports.map { "nats-route://127.0.0.1:\($0)" }.joined(separator: ", ")
        servers = try ports.enumerated().map { index, port in
            try ServerProcess(
                ["-js"],
                configuration: """
                    server_name: s\(index)
                    cluster { name: c, listen: "127.0.0.1:\(port)", routes: [\(routes)] }
                    """, keys: keys)
        }
    }

    var addresses: NATSServer {
        var server = servers[0].way
        server.addresses = servers.flatMap(\.way.addresses)
        return server
    }

    func start() async throws {
        for server in servers { try await server.start() }
    }

    func leader(of stream: String, asking relay: NotificationRelay) async -> ServerProcess {
        while true {
            await relay.waitUntilReady()
            let answer = try? await relay.connection.service().ask("STREAM.INFO.\(stream)")
            let name = answer?.object("cluster")?.string("leader")
            if let index = name.flatMap({ Int($0.dropFirst()) }) { return servers[index] }
            await Task.yield()
        }
    }
}

@Suite(.timeLimit(.ofServers)) struct ClusterTests {
    @Test(arguments: 0..<RelayTrials.runs, RelayTrials.encryptions)
    func `nothing is lost or repeated and the order is kept while the leader of a cluster is killed`(
        run: Int, isEncrypted: Bool
    ) async throws {
        let count = RelayTrials.clustered
        let cluster = try ServerCluster(isEncrypted: isEncrypted)
        try await cluster.start()
        let office = try RelayedProgram(
            "office", cluster.addresses, [.durable(Tick.self, .incoming, stream: "TICKS")]
        ) { $0.replicas = 3 }
        await office.relay.waitUntilReady()
        let shop = try RelayedProgram(
            "shop", cluster.addresses, [.durable(Tick.self, .outgoing, stream: "TICKS")]
        ) { options in
            options.replicas = 3
            options.sendBufferLimit = count
        }
        await shop.relay.waitUntilReady()
        let posting = Task {
            for number in 0..<count {
                shop.center.post(Tick(poster: 1, number: number))
                if number % 100 == 0 { await Task.yield() }
            }
        }
        for part in 1...RelayTrials.leaders {
            await office.received.wait(for: count * part / (RelayTrials.leaders + 2))
            let leader = await cluster.leader(of: "TICKS", asking: shop.relay)
            await leader.kill9()
            // The other servers continue while the killed server is down.
            await office.received.wait(for: count * (2 * part + 1) / (2 * RelayTrials.leaders + 4))
            try await leader.start()
        }
        await posting.value
        await office.received.wait(for: count)
        await office.stop()
        await shop.stop()
        #expect(office.received.values.map(\.number) == Array(0..<count))
        let kinds = Set((shop.faults.values + office.faults.values).map(\.kind))
        #expect(kinds.isSubset(of: [.connectionLost, .cannotConnect, .rejected]), "\(kinds)")
    }
}
