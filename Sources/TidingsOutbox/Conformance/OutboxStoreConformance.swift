/// Checks that a store meets the requirements of an outbox.
///
/// ```swift
/// @Test(arguments: OutboxStoreConformance.checks) func `the store keeps its promises`(check: OutboxStoreConformance.Check) async throws {
///     #expect(try await check.run(on: MyStore()) { store, posts, isCommitted in … } == [])
/// }
/// ```
public struct OutboxStoreConformance: Sendable {
    /// Appends a post for each body in one transaction. Rolls the transaction back if `isCommitted` is false.
    public typealias Append<Store: OutboxStore> =
        @Sendable (_ store: Store, _ bodies: [String], _ isCommitted: Bool) async throws -> Void

    /// A requirement of a store.
    public struct Check: Sendable, CustomStringConvertible {
        /// A description of the requirement.
        public let description: String
        fileprivate let body: @Sendable (StoreTrial) async throws -> [String]

        /// Runs the check on an empty store.
        ///
        /// - Parameters:
        ///   - store: The store.
        ///   - append: Appends posts with the name `check`.
        /// - Returns: Descriptions of the violations; an empty array if the store meets the requirement.
        /// - Throws: An error of the database.
        public func run<Store: OutboxStore>(on store: Store, append: @escaping Append<Store>) async throws -> [String] {
            _ = try await store.prepare()
            return try await body(StoreTrial(store: store) { try await append(store, $0, $1) })
        }
    }

    /// All checks.
    public static let checks: [Check] = progressChecks + rowChecks + partitionChecks
}

private struct MissingRows: Error, CustomStringConvertible {
    let description: String
}

struct StoreTrial: Sendable {
    let store: any OutboxStore
    fileprivate let appendPosts: @Sendable ([String], Bool) async throws -> Void

    func append(_ bodies: [String], isCommitted: Bool) async throws { try await appendPosts(bodies, isCommitted) }

    func positions(_ count: Int) async throws -> [Int64] {
        _ = try await store.last()
        let positions = try await store.page(after: 0, limit: 10, named: ["check"]).rows.map(\.position)
        if positions.count != count {
            throw MissingRows(description: "there are \(positions.count) rows, not \(count)")
        }
        return positions
    }

    func prune(abandonedBefore seen: Int64 = 0) async throws -> (removed: Int, abandoned: [String]) {
        try await store.prune(storedBefore: 4_000_000_000_000, abandonedBefore: seen, limit: 10)
    }

    func bodies(after position: Int64 = 0) async throws -> [String] {
        _ = try await store.last()
        var (bodies, end) = ([String](), position)
        while true {
            let page = try await store.page(after: end, limit: 3, named: ["check"])
            if page.end == end { return bodies }
            bodies += page.rows.map { String(decoding: $0.body, as: UTF8.self) }
            end = page.end
        }
    }
}

extension OutboxStoreConformance {
    static func check(
        _ words: String, _ body: @escaping @Sendable (StoreTrial, inout Findings) async throws -> Void
    ) -> Check {
        Check(description: words) { trial in
            var findings = Findings()
            do { try await body(trial, &findings) } catch let error as MissingRows { findings.words.append("\(error)") }
            return findings.words
        }
    }

    struct Findings {
        var words: [String] = []
        mutating func expect<Value: Equatable>(_ value: Value, _ expected: Value, _ what: String) {
            if value != expected { words.append("\(what): \(value), not \(expected)") }
        }
    }

    private static let rowChecks = [
        check("committed rows are stored in order, and rolled-back rows aren't stored") { trial, findings in
            try await trial.append(["1", "2"], isCommitted: true)
            try await trial.append(["3"], isCommitted: false)
            try await trial.append(["4", "5"], isCommitted: true)
            findings.expect(try await trial.bodies(), ["1", "2", "4", "5"], "the rows")
        },
        check("rows are ordered by number, not alphabetically") { trial, findings in
            let bodies = (1...120).map { "\($0)" }
            try await trial.append(bodies, isCommitted: true)
            findings.expect(try await trial.bodies(), bodies, "the rows")
        },
        check("positions increase, and pruned positions aren't reused") { trial, findings in
            try await trial.append(["1", "2"], isCommitted: true)
            let last = try await trial.store.last()
            findings.expect(try await trial.prune().removed, 2, "pruned")
            try await trial.append(["3"], isCommitted: true)
            findings.expect(try await trial.bodies(after: last), ["3"], "the rows after the pruned ones")
        },
        check("a page ends at the last examined row, even if no examined row has a requested name") { trial, findings in
            try await trial.append(["1", "2", "3"], isCommitted: true)
            let last = try await trial.store.last()
            findings.expect(
                try await trial.store.page(after: 0, limit: 10, named: ["other"]), OutboxRowPage(rows: [], end: last),
                "the page")
        },
        check("bodies are read as they were stored, with quotes, non-ASCII characters and line breaks") {
            trial, findings in
            let bodies = ["\"quoted\" 'twice' \\ back", "ü 漢 🙂", "a\nb\tc", "{}"]
            try await trial.append(bodies, isCommitted: true)
            findings.expect(try await trial.bodies(), bodies, "the rows")
        },
        check("preparing a store again keeps its rows and its identity") { trial, findings in
            let first = try await trial.store.prepare().identity
            try await trial.append(["1"], isCommitted: true)
            findings.expect(try await trial.store.prepare().identity, first, "the identity")
            findings.expect(try await trial.bodies(), ["1"], "the rows")
        },
    ]

    private static func buried(_ position: Int64, key: String? = nil) -> OutboxHeldRow {
        OutboxHeldRow(key: key ?? "k\(position)", position: position, attempts: 3, error: "no", isDeadLetter: true)
    }

    private static let progressChecks = [
        check("only one session at a time can claim an observer") { trial, findings in
            let first = try await trial.store.claim("a", beginningAt: 0)
            findings.expect(first != nil, true, "claimed")
            // A second claim must also fail in the same program, because the program may register an observer again
            // while the earlier observer is still handling a notification.
            findings.expect(try await trial.store.claim("a", beginningAt: 0) == nil, true, "not claimed twice")
            await first?.end(isClean: true)
            let second = try await trial.store.claim("a", beginningAt: 0)
            findings.expect(second != nil, true, "claimed again")
            findings.expect(second?.beginning.wasInterrupted, false, "interrupted")
            await second?.end(isClean: true)
        },
        check("the next session starts with the saved cursor and the saved held rows") { trial, findings in
            try await trial.append(["1", "2", "3"], isCommitted: true)
            let last = try await trial.store.last()
            let rows = try await trial.positions(3)
            let first = try await trial.store.claim("a", beginningAt: 0)
            let held = [
                OutboxHeldRow(key: "k", position: rows[0], attempts: 2, due: 99, error: "it's \"bad\""),
                OutboxHeldRow(key: "k", position: rows[1]),
            ]
            try await first?.save(OutboxProgressChange(cursor: rows[1], held: held))
            await first?.end(isClean: true)
            let second = try await trial.store.claim("a", beginningAt: 0)
            findings.expect(second?.beginning.cursor, rows[1], "the cursor")
            findings.expect(second?.beginning.newest, last, "the newest")
            findings.expect(second?.beginning.held.sorted { $0.position < $1.position }, held, "held rows")
            try await second?.save(OutboxProgressChange(cursor: rows[1], released: [rows[0]]))
            findings.expect(try await second?.held(), [held[1]], "held rows after a release")
            await second?.end(isClean: true)
        },
        check("a new observer begins at the given position, and a known observer at its saved position") {
            trial, findings in
            let first = try await trial.store.claim("a", beginningAt: 7)
            findings.expect(first?.beginning.cursor, 7, "the beginning")
            await first?.end(isClean: true)
            let second = try await trial.store.claim("a", beginningAt: 9)
            findings.expect(second?.beginning.cursor, 7, "the cursor")
            await second?.end(isClean: true)
        },
        check("a dead letter is listed but not held until it is redelivered") { trial, findings in
            try await trial.append(["1", "2"], isCommitted: true)
            let rows = try await trial.positions(2)
            let session = try await trial.store.claim("a", beginningAt: 0)
            let equalKeys = rows.map { buried($0, key: "k") }
            try await session?.save(OutboxProgressChange(cursor: rows[1], held: equalKeys))
            findings.expect(try await session?.held(), [], "held rows")
            let letters = try await trial.store.deadLetters(for: "a", limit: 10)
            findings.expect(letters.map(\.row.position), rows, "dead letters")
            findings.expect(letters.map(\.attempts), [3, 3], "attempts")
            findings.expect(letters.map(\.error), ["no", "no"], "errors")
            findings.expect(try await trial.store.redrive(for: "a", positions: [rows[1]]), 1, "redelivered")
            findings.expect(try await session?.held().map(\.position), [rows[1]], "held rows")
            findings.expect(try await trial.store.redrive(for: "a", positions: nil), 1, "redelivered")
            findings.expect(try await trial.store.observers().map(\.held), [2], "number of held rows")
            await session?.end(isClean: true)
        },
        check("a drop without positions removes only dead letters, and a drop by position removes any held row") {
            trial, findings in
            try await trial.append(["1", "2", "3"], isCommitted: true)
            let rows = try await trial.positions(3)
            let session = try await trial.store.claim("a", beginningAt: 0)
            try await session?.save(OutboxProgressChange(cursor: rows[2], held: rows.map { buried($0) }))
            findings.expect(try await trial.store.redrive(for: "a", positions: [rows[0]]), 1, "redelivered")
            findings.expect(try await trial.store.drop(for: "a", positions: [rows[1]]), 1, "dropped")
            findings.expect(
                try await trial.store.deadLetters(for: "a", limit: 10).map(\.row.position), [rows[2]], "dead letters")
            findings.expect(try await trial.store.drop(for: "a", positions: nil), 1, "dropped")
            findings.expect(try await trial.store.drop(for: "other", positions: [rows[0]]), 0, "dropped for others")
            findings.expect(try await trial.store.observers().map(\.deadLetters), [0], "dead letters")
            findings.expect(
                try await trial.store.waiting(for: "a", limit: 10).map(\.row.position), [rows[0]], "waiting rows")
            findings.expect(try await trial.store.drop(for: "a", positions: rows), 1, "dropped while retried")
            findings.expect(try await session?.held(), [], "held rows")
            await session?.end(isClean: true)
        },
        check("a row that a session retries isn't held again if it is dropped meanwhile") { trial, findings in
            try await trial.append(["1", "2", "3"], isCommitted: true)
            let rows = try await trial.positions(3)
            let session = try await trial.store.claim("a", beginningAt: 0)
            func row(_ index: Int, _ attempts: Int) -> OutboxHeldRow {
                OutboxHeldRow(key: "\(index)", position: rows[index], attempts: attempts, due: 1, error: "no")
            }
            let first = try await session?.save(OutboxProgressChange(cursor: rows[1], held: [row(0, 1), row(1, 1)]))
            findings.expect(first, [], "dropped")
            findings.expect(try await trial.store.drop(for: "a", positions: [rows[0]]), 1, "dropped")
            let second = try await session?.save(
                OutboxProgressChange(cursor: rows[2], held: [row(2, 1)], updated: [row(0, 2), row(1, 2)]))
            findings.expect(second, [rows[0]], "dropped meanwhile")
            findings.expect(try await session?.held(), [row(1, 2), row(2, 1)], "held rows")
            let third = try await session?.save(
                OutboxProgressChange(cursor: rows[2], updated: [buried(rows[0]), buried(rows[1])]))
            findings.expect(third, [rows[0]], "dropped meanwhile")
            findings.expect(
                try await trial.store.deadLetters(for: "a", limit: 10).map(\.row.position), [rows[1]], "dead letters")
            findings.expect(try await session?.held().map(\.position), [rows[2]], "held rows")
            await session?.end(isClean: true)
        },
        check("a dead letter expires by its age, which starts again after a redelivery") {
            trial, findings in
            try await trial.append(["1", "2"], isCommitted: true)
            let rows = try await trial.positions(2)
            let session = try await trial.store.claim("a", beginningAt: 0)
            try await session?.save(OutboxProgressChange(cursor: rows[1], held: rows.map { buried($0) }))
            let now: Int64 = 4_000_000_000_000
            func expire(_ age: Duration?, at time: Int64) async throws -> OutboxExpiry {
                try await trial.store.expire(deadLetters: age, inbox: nil, at: time, limit: 10)
            }
            findings.expect(try await expire(nil, at: now), OutboxExpiry(), "expired without an age")
            // The first call with an age only records the time at which it found the dead letters.
            findings.expect(try await expire(.seconds(-1), at: now), OutboxExpiry(), "expired at once")
            findings.expect(try await expire(.seconds(3_600), at: now + 1), OutboxExpiry(), "expired too early")
            _ = try await trial.store.redrive(for: "a", positions: [rows[0]])
            try await session?.save(OutboxProgressChange(cursor: rows[1], held: [buried(rows[0])]))
            findings.expect(try await expire(.seconds(-1), at: now + 2), OutboxExpiry(deadLetters: ["a": 1]), "expired")
            findings.expect(
                try await trial.store.deadLetters(for: "a", limit: 10).map(\.row.position), [rows[0]], "dead letters")
            await session?.end(isClean: true)
        },
        check("a prune keeps held rows, dead letters, and rows that an observer hasn't handled") { trial, findings in
            try await trial.append(["1", "2", "3", "4"], isCommitted: true)
            let rows = try await trial.positions(4)
            let session = try await trial.store.claim("a", beginningAt: 0)
            try await session?.save(
                OutboxProgressChange(
                    cursor: rows[2], held: [OutboxHeldRow(key: "k", position: rows[1], attempts: 1, isDeadLetter: true)]
                ))
            findings.expect(try await trial.prune().removed, 2, "pruned")
            findings.expect(try await trial.bodies(), ["2", "4"], "the rows")
            await session?.end(isClean: true)
        },
        check("a limit doesn't count held rows that were removed while their observer was abandoned") {
            trial, findings in
            try await trial.append(["1"], isCommitted: true)
            let removed = try await trial.positions(1)
            let first = try await trial.store.claim("a", beginningAt: 0)
            try await first?.save(OutboxProgressChange(cursor: removed[0], held: [buried(removed[0])]))
            await first?.end(isClean: true)
            findings.expect(try await trial.prune(abandonedBefore: 4_000_000_000_000).removed, 1, "pruned")
            try await trial.append(["2"], isCommitted: true)
            let rows = try await trial.positions(1)
            let second = try await trial.store.claim("a", beginningAt: 0)
            try await second?.save(OutboxProgressChange(cursor: rows[0], held: [buried(rows[0])]))
            findings.expect(
                try await trial.store.deadLetters(for: "a", limit: 1).map(\.row.position), rows, "dead letters")
            await second?.end(isClean: true)
        },
        check("a session reports whether the previous session ended cleanly") {
            trial, findings in
            for isClean in [true, false, true] {
                let session = try await trial.store.claim("a", beginningAt: 0)
                await session?.end(isClean: isClean)
                let next = try await trial.store.claim("a", beginningAt: 0)
                findings.expect(next?.beginning.wasInterrupted, !isClean, "interrupted")
                await next?.end(isClean: true)
            }
        },
        check("a running observer never becomes abandoned, even if the wall clock jumps") {
            trial, findings in
            try await trial.append(["1"], isCommitted: true)
            _ = try await trial.positions(1)
            let session = try await trial.store.claim("a", beginningAt: 0)
            var result = try await trial.prune(abandonedBefore: 4_000_000_000_000)
            findings.expect(result.abandoned, [], "abandoned while it runs")
            findings.expect(result.removed, 0, "pruned while it runs")
            await session?.end(isClean: true)
            result = try await trial.prune(abandonedBefore: 4_000_000_000_000)
            findings.expect(result.abandoned, ["a"], "abandoned when no program runs it")
            findings.expect(result.removed, 1, "pruned when no program runs it")
            let other = try await trial.store.claim("a", beginningAt: 0)
            findings.expect(other?.beginning.wasAbandoned, true, "was abandoned")
            await other?.end(isClean: true)
        },
        check("a removed observer isn't listed, and a program that still runs it can't save progress") {
            trial, findings in
            let session = try await trial.store.claim("a", beginningAt: 0)
            try await trial.store.remove("a")
            findings.expect(try await trial.store.observers().map(\.name), [], "the observers")
            do {
                try await session?.save(OutboxProgressChange(cursor: 5))
                findings.expect(true, false, "saved")
            } catch let error as OutboxError { findings.expect(error.code, .leaseLost, "the error") }
            await session?.end(isClean: true)
        },
    ]
}
