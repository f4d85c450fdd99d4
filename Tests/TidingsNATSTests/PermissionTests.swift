import Foundation
import TestSupport
import Testing
import Tidings
import TidingsTesting

@testable import TidingsRelay

/// Tests of the server configuration in the documentation, and of the permissions that a relay's options compute.
@Suite(.timeLimit(.ofServers)) struct PermissionTests {
    private struct Price: RemoteNotification, Hashable {
        static let wireName = "test.price"
        let cents: Int
    }

    private static let reading = [RelayRoute.durable(Tick.self, .incoming, stream: "TICKS"), .transient(Price.self)]
    private static let posting = [RelayRoute.durable(Tick.self, .outgoing, stream: "TICKS"), .transient(Price.self)]
    private static let desk = [RelayRoute.durable(Tick.self, .outgoing, stream: "TICKS")]

    private static var article: String {
        get throws {
            let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent()
            let file = folder.appending(path: "Sources/TidingsRelay/Documentation.docc/Resources/nats-server.conf")
            return try String(contentsOf: file, encoding: .utf8)
        }
    }

    /// A server configuration with permissions that are computed from the options and routes of the programs.
    private static var computed: String {
        get throws {
            let users = try [("shop", posting), ("office", reading), ("desk", desk)].map { name, routes in
                var options = RelayOptions(name: name)
                options.inboxPrefix = "_INBOX_\(name)"
                let permissions = try options.permissions(for: routes, redrivingDeadLetters: name == "desk")
                return "{ user: \(name), password: secret\n\(permissions) }"
            }
            return
                "jetstream { max_file_store: 10GB }\nauthorization { users = [\n\(users.joined(separator: "\n"))\n] }"
        }
    }

    @Test(arguments: [false, true])
    func `relaying and redriving work with the documented and with the computed permissions`(
        isComputed: Bool
    ) async throws {
        let server = try ServerProcess([], configuration: try isComputed ? Self.computed : Self.article)
        try await server.start()
        func program(_ name: String, _ routes: [RelayRoute]) throws -> RelayedProgram {
            var way = NATSServer(server.address)
            way.login = .user(name, password: "secret")
            return try RelayedProgram(name, way, routes) { options in
                options.inboxPrefix = "_INBOX_\(name)"
                options.retryPolicy = []
            }
        }
        let office = try program("office", Self.reading)
        let token = office.center.addObserver(for: RelayedNotification<Tick>.self) { received in
            if received.notification.number == 1 { received.retry() }
        }
        let prices = ReceivedValues<Price>()
        let heard = office.center.addObserver(for: Price.self) { prices.append($0) }
        await office.relay.waitUntilReady()
        let shop = try program("shop", Self.posting)
        await shop.relay.waitUntilReady()
        for number in 1...3 { try await shop.relay.publish(Tick(poster: 1, number: number)) }
        shop.center.post(Price(cents: 5))
        await prices.wait(for: 1)
        await office.received.wait(for: 3)
        _ = await office.fault(.deadLetter)
        #expect(await office.relay.catchUp(within: .seconds(60)))
        #expect(try await office.relay.status().routes.first?.deadLetters == 1)
        let desk = try program("desk", Self.desk)
        await desk.relay.waitUntilReady()
        #expect(try await office.relay.deadLetters() == desk.relay.deadLetters())
        #expect(try await desk.relay.redrive() == 1)
        await office.received.wait(for: 4)
        _ = await office.faults(.deadLetter, 2)
        // The office isn't allowed to post ticks.
        await #expect(throws: RelayFault.self) { try await office.relay.publish(Tick(poster: 2, number: 9)) }
        for program in [office, desk, shop] { await program.stop() }
        #expect(Set(office.faults.values.map(\.kind)) == [.observerFailed, .deadLetter] && shop.faults.values == [])
        #expect(desk.faults.values == [])
        let stranger = try program("shop", [.durable(Tick.self, .incoming, stream: "TICKS")])
        #expect(await stranger.fault(.permissionDenied).subject?.hasPrefix("$JS.API.STREAM.INFO.TICKS_DEAD") == true)
        await stranger.relay.finish(within: .zero)
        withExtendedLifetime((token, heard)) {}
    }
}
