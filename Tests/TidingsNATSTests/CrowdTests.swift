import TestSupport
import Testing
import Tidings
import TidingsTesting

@testable import TidingsRelay

/// Tests many programs that start at once. Each program posts its own type of notification to the same stream.
@Suite(.timeLimit(.ofServers)) struct CrowdTests {
    protocol Numbered: Sendable { static var number: Int { get } }
    struct Kind<N: Numbered>: RemoteNotification {
        static var wireName: String { "test.kind\(N.number)" }
        let text: String
    }
    enum N0: Numbered { static let number = 0 }
    enum N1: Numbered { static let number = 1 }
    enum N2: Numbered { static let number = 2 }
    enum N3: Numbered { static let number = 3 }
    enum N4: Numbered { static let number = 4 }
    enum N5: Numbered { static let number = 5 }
    enum N6: Numbered { static let number = 6 }
    enum N7: Numbered { static let number = 7 }
    enum N8: Numbered { static let number = 8 }
    enum N9: Numbered { static let number = 9 }

    private static let kinds: [any Numbered.Type] = [
        N0.self, N1.self, N2.self, N3.self, N4.self, N5.self, N6.self, N7.self, N8.self, N9.self,
    ]

    @Test func `ten programs that start at once on one stream can all post`() async throws {
        let server = try ServerProcess()
        try await server.start()
        func program<N: Numbered>(_ kind: N.Type) async throws -> UInt64 {
            let program = try RelayedProgram(
                "shop-\(N.number)", server, [.durable(Kind<N>.self, .outgoing, stream: "KINDS")])
            let number = try await program.relay.publish(Kind<N>(text: "a"))
            await program.stop()
            return number
        }
        let numbers = try await withThrowingTaskGroup(of: UInt64.self) { group in
            for kind in Self.kinds { group.addTask { try await program(kind) } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(numbers == Set(1...10))
    }
}
