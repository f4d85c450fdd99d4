#if Libpq
    import Foundation
    import TestSupport
    import Testing
    import Tidings
    import TidingsOutbox

    /// Each test runs several programs, one after the other. Each program ends cleanly or dies. While it runs, the
    /// server ends its connections at random statements.
    @Suite(
        .timeLimit(.ofServers), .enabled(if: postgresServer != nil, "TIDINGS_POSTGRES names no server"), .serialized)
    struct PostgresRandomTests {
        private static let runs = ProcessInfo.processInfo.environment["TIDINGS_OUTBOX_RUNS"].flatMap(Int.init) ?? 4

        @Test(arguments: 0..<runs)
        func `if connections end at random statements, nothing is lost, the order is kept and repetitions are marked`(
            seed: Int
        ) async throws {
            let database = try await TestDatabase()
            var random = RandomHistory.Generator(state: UInt64(seed) << 32)
            var past = RandomHistory.Past()
            var effects: Set<Int> = []
            var cuts = 0
            for generation in 1...4 {
                let program = try await PostgresRandomProgram(database, past, random.split(), isLast: false)
                program.connector.cut(true)
                try await program.run(Int.random(in: 10...30, using: &random), &random)
                past = try await program.end(isDeath: Bool.random(using: &random))
                cuts += program.connector.cuts
                if let broken = past.broken { Issue.record("seed \(seed), generation \(generation): \(broken)") }
                let now = Set(try await program.effects())
                #expect(now.isSuperset(of: effects), "seed \(seed), generation \(generation): an effect was undone")
                effects = now
            }
            #expect(cuts > 5, "seed \(seed)")
            let last = try await PostgresRandomProgram(database, past, random.split(), isLast: true)
            past = try await last.complete()
            #expect(past.broken == nil, "seed \(seed)")
            #expect(past.handled.isSuperset(of: past.committed), "seed \(seed): a notification is lost")
            #expect(past.sentAgain.isSuperset(of: past.committed), "seed \(seed): a dead letter is lost")
            let done = try await last.effects()
            #expect(Set(done).count == done.count, "seed \(seed): an effect happened twice")
            #expect(Set(done).isSuperset(of: past.committed), "seed \(seed): an effect is lost")
            #expect(Set(done).isSuperset(of: effects), "seed \(seed): an effect was undone")
            #expect(Set(done).isDisjoint(with: past.rolledBack), "seed \(seed): an effect of a rolled-back transaction")
            // Completed work stays completed, so another program has nothing to do.
            let idle = try await PostgresRandomProgram(database, past, random.split(), isLast: true)
            _ = try await idle.complete()
            #expect(await idle.calls == 0, "seed \(seed): work was repeated")
        }
    }
#endif
