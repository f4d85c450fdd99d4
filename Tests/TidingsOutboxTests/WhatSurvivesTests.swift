import TestSupport
import Testing
import Tidings
import TidingsOutbox

/// Tests of the cells in the first table of the article *What survives*, in each available database. The tests that
/// need several programs at the same time are in `ReplicaTests` and `PostgresSurvivalTests`.
@Suite(.timeLimit(.minutes(2))) struct WhatSurvivesTests {
    private let folder = TestFolder()

    @Test(
        .survives("nothing fails", .center, .durable, .inbox, on: [.sqlite, .postgres]),
        .survives("nothing fails", .center, .durable, on: [.memory]), arguments: SurvivalKind.available)
    func `without a failure, each observer receives each notification once and in order`(kind: SurvivalKind)
        async throws
    {
        let program = try await SurvivalProgram.start(kind, in: folder)
        try await program.post(1, 2, 3)
        await program.drain()
        #expect(program.heard == [1, 2, 3])
        #expect(await program.durable.attempts == [1, 2, 3])
        #expect(await program.durable.repeated == [])
        #expect(try await program.hasDone([1, 2, 3]))
        await program.finish()
        let next = try await program.successor()
        await next.drain()
        #expect(await next.durable.attempts == [])
        #expect(await next.effects.attempts == 0)
        await next.finish()
    }

    @Test(
        .survives("the transaction is rolled back", .center, .durable, .inbox, on: [.sqlite, .postgres]),
        arguments: SurvivalKind.withTransactions)
    func `when the transaction is rolled back, no observer ever receives the notification`(kind: SurvivalKind)
        async throws
    {
        let program = try await SurvivalProgram.start(kind, in: folder)
        try await program.database.rollBack(1)
        try await program.post(2)
        await program.drain()
        try await program.database.die()
        let next = try await program.successor()
        await next.drain()
        #expect(program.heard == [2])
        #expect(next.heard == [])
        for program in [program, next] {
            #expect(await !program.durable.attempts.contains(1))
            #expect(try await program.hasDone([2]))
            await program.finish()
        }
    }

    @Test(
        .survives("the program ends before the commit", .center, .durable, .inbox, on: [.sqlite, .postgres]),
        arguments: SurvivalKind.withTransactions)
    func `when the program dies before the commit, no observer ever receives the notification`(kind: SurvivalKind)
        async throws
    {
        let program = try await SurvivalProgram.start(kind, in: folder)
        try await program.database.dieBeforeCommit(of: 1)
        let next = try await program.successor()
        // The open transaction of the dead program doesn't hold up later notifications.
        try await next.post(2)
        await next.drain()
        #expect(program.heard == [])
        #expect(next.heard == [2])
        #expect(await program.durable.attempts == [])
        #expect(await next.durable.attempts == [2])
        #expect(try await next.hasDone([2]))
        await next.finish()
        await program.finish()
    }

    @Test(
        .survives("the program ends after the commit", .center, .durable, .inbox, on: [.sqlite, .postgres]),
        .survives("the program ends after the commit", .center, .durable, on: [.memory]),
        arguments: SurvivalKind.available)
    func `when the program dies after the commit, only durable observers receive the notification`(
        kind: SurvivalKind
    ) async throws {
        let program = try await SurvivalProgram.start(kind, in: folder)
        try await program.post(1)
        await program.drain()
        // Prevents the program from completing the next notification before it dies.
        await program.durable.hold()
        await program.effects.hold(before: true)
        try await program.database.dieAfterCommit(of: 2)
        let next = try await program.successor()
        await next.drain()
        #expect(program.heard == [1] || kind == .sqlite)
        #expect(next.heard == [])
        let (attempts, repeated) = (await next.durable.attempts, await next.durable.repeated)
        #expect(attempts.contains(2))
        #expect(attempts == repeated, "an attempt that may be a repetition isn't marked")
        #expect(try await next.hasDone([1, 2]))
        await next.finish()
        await program.durable.letGo()
        await program.effects.letGo()
        await program.finish()
    }

    @Test(
        .survives("the program ends while an observer runs", .center, .durable, .inbox, on: [.sqlite, .postgres]),
        .survives("the program ends while an observer runs", .center, .durable, on: [.memory]),
        arguments: SurvivalKind.available)
    func
        `when the program dies during a call, the call is repeated and marked, and its effect happens once`(
            kind: SurvivalKind
        ) async throws
    {
        let program = try await SurvivalProgram.start(kind, in: folder)
        await program.durable.hold()
        await program.effects.hold()
        try await program.post(1)
        await program.durable.waitForAttempts(1)
        await program.waitForEffect()
        try await program.database.die()
        let next = try await program.successor()
        await next.drain()
        #expect(next.heard == [])
        #expect(await next.durable.repeated == [1])
        #expect(await next.effects.attempts == (next.database.hasInbox ? 1 : 0))
        #expect(try await next.hasDone([1]))
        await next.finish()
        await program.durable.letGo()
        await program.effects.letGo()
        await program.finish()
    }

    @Test(
        .survives("the observer throws", .center, .durable, .inbox, on: [.sqlite, .postgres]),
        .survives("the observer throws", .center, .durable, on: [.memory]), arguments: SurvivalKind.available)
    func `a notification whose observer throws is retried, then becomes a dead letter, and other observers receive it`(
        kind: SurvivalKind
    )
        async throws
    {
        let program = try await SurvivalProgram.start(kind, in: folder)
        await program.durable.fail(1, times: 9)
        await program.effects.fail(1, times: 2)
        try await program.post(1, 2)
        await program.drain()
        #expect(program.heard == [1, 2])
        #expect(await program.durable.attempts == [1, 1, 1, 2])
        #expect(try await program.outbox.deadLetters(for: "durable", limit: 9).map(\.attempts) == [3])
        #expect(try await program.hasDone([1, 2]))
        #expect(await program.effects.attempts == (program.database.hasInbox ? 4 : 0))
        let kinds = program.faultKinds
        #expect(kinds.filter { $0 == .deadLetter }.count == 1)
        #expect(kinds.filter { $0 == .observerFailed }.count == (program.database.hasInbox ? 4 : 2))
        await program.finish()
    }

    @Test(
        .survives(
            "the observer's actor is deallocated, or its token is cancelled or deallocated", .center, .durable, .inbox,
            on: [.sqlite, .postgres]
        ),
        .survives(
            "the observer's actor is deallocated, or its token is cancelled or deallocated", .center, .durable,
            on: [.memory]
        ),
        arguments: SurvivalKind.available, SurvivalProgram.Cause.allCases)
    func
        `when a durable observer's actor or token is gone, its backlog waits, and observers of the center continue`(
            kind: SurvivalKind, cause: SurvivalProgram.Cause
        ) async throws
    {
        let program = try await SurvivalProgram.start(kind, in: folder)
        try await program.post(1)
        await program.drain()
        await program.endObservers(by: cause)
        try await program.post(2)
        await program.drain()
        #expect(program.heard == [1, 2])
        #expect(try await program.outbox.registeredObservers().map(\.backlog) == program.names.map { _ in 1 })
        program.observe()
        await program.drain()
        #expect(await program.durable.attempts == [1, 2])
        #expect(try await program.hasDone([1, 2]))
        await program.finish()
    }

    @Test(
        .survives("the center finishes", .center, .durable, .inbox, on: [.sqlite, .postgres]),
        .survives("the center finishes", .center, .durable, on: [.memory]), arguments: SurvivalKind.available)
    func `when the center finishes, its observers end and the backlog of durable observers waits in the table`(
        kind: SurvivalKind
    ) async throws {
        let program = try await SurvivalProgram.start(kind, in: folder)
        try await program.post(1)
        await program.drain()
        await program.center.finish(within: .seconds(60))
        try await program.post(2)
        await eventually("the observers have ended") { program.outbox.runningObservers.isEmpty }
        #expect(program.heard == [1])
        #expect(await program.durable.attempts == [1])
        try await program.database.die()
        let next = try await program.successor()
        await next.drain()
        #expect(await next.durable.numbers == [2])
        #expect(try await next.hasDone([1, 2]))
        await next.finish()
        await program.finish()
    }

    @Test(
        .survives("the database is unavailable, locked or full", .center, .durable, .inbox, on: [.sqlite, .postgres]),
        .survives("the database is unavailable, locked or full", .center, .durable, on: [.memory]),
        arguments: SurvivalKind.available)
    func
        `while the database is unavailable or locked, posts fail, and durable observers wait without dead letters`(
            kind: SurvivalKind
        ) async throws
    {
        let program = try await SurvivalProgram.start(kind, in: folder, retrying: .none)
        await program.effects.hold(before: true)
        try await program.post(1)
        await program.waitForEffect()
        await eventually(
            "the durable observer has the first notification", { await program.durable.numbers }, until: { $0 == [1] })
        try await program.database.goAway()
        await #expect(throws: (any Error).self) { try await program.post(3) }
        // The observer's call fails, because it can't write to the database. Its notification must not become a dead
        // letter.
        await program.effects.letGo()
        await eventually("the program reports that the store failed") { program.faultKinds.contains(.storeFailed) }
        // If the database is only locked, the program keeps its observer and retries.
        if kind == .sqlite {
            await eventually("the observer was called eight times, or there is a dead letter") {
                await program.effects.attempts >= 8 || program.faultKinds.contains(.deadLetter)
            }
        }
        try await program.database.comeBack()
        try await program.post(4)
        await program.drain()
        #expect(program.heard == [1, 4])
        #expect(await program.firsts() == [1, 4])
        #expect(try await program.hasDone([1, 4]))
        #expect(!program.faultKinds.contains(.deadLetter))
        await program.finish()
    }

    @Test(.survives("the replica that runs the observer ends", .center, .durable, on: [.memory]))
    func `when the program that runs the observer dies, another program runs it and marks repeated notifications`()
        async throws
    {
        let program = try await SurvivalProgram.start(.memory, in: folder)
        await eventually(
            "the observer runs", { program.outbox.runningObservers.first?.state }, until: { $0 == .running })
        let other = try await program.beside()
        await program.durable.hold()
        try await program.post(1, 2)
        await program.durable.waitForAttempts(1)
        #expect(await other.durable.attempts == [])
        try await program.database.die()
        await eventually(
            "the other program has two notifications", { await other.durable.numbers.count }, until: { $0 >= 2 })
        #expect(await other.durable.numbers == [1, 2])
        #expect(await other.durable.repeated.contains(1))
        // Observers of the center receive only what their own program has stored.
        #expect(program.heard == [1, 2])
        #expect(other.heard == [])
        await program.durable.letGo()
        await other.finish()
    }
}

#if GRDB
    import GRDB

    @Suite(.timeLimit(.minutes(2))) struct FullDatabaseTests {
        @Test(.survives("the database is unavailable, locked or full", .center, .durable, .inbox, on: [.sqlite]))
        func `when the database is full, posts fail, and stored notifications are handled as soon as there is room`()
            async throws
        {
            let delays = RetryPolicy(Array(repeating: .milliseconds(20), count: 100_000))
            let (folder, center) = (TestFolder(), NativeNotificationCenter())
            let database = try await SQLiteSurvival(center, in: folder, folder.path("shop"))
            let program = SurvivalProgram(center, database, delays)
            let text = String(repeating: "x", count: 500)
            // Prevents the database file from growing.
            try await database.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 1") }
            // The post without room rolls back the earlier posts of its transaction.
            let error = await #expect(throws: DatabaseError.self) {
                try await database.pool.write { db in
                    for number in 1_000... {
                        try database.typed.post(Placed(number: number, customer: text), in: db)
                    }
                }
            }
            #expect(error?.resultCode == .SQLITE_FULL)
            var stored: [Int] = []
            do {
                while true {
                    try await database.post(stored.count, customer: text)
                    stored.append(stored.count)
                }
            } catch let error as DatabaseError { #expect(error.resultCode == .SQLITE_FULL) }
            try await database.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 1000000") }
            try await database.post(stored.count)
            stored.append(stored.count)
            await program.drain()
            #expect(program.heard == stored)
            #expect(await program.durable.numbers == stored)
            #expect(try await program.hasDone(stored))
            await program.finish()
        }
    }
#endif
