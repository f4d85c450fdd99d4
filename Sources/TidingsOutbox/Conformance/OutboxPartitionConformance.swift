/// Checks of partitions. A store that doesn't divide observers into partitions also passes them.
extension OutboxStoreConformance {
    static let partitionChecks = [
        check("when a partition is divided, all parts get its progress, and each held row goes to one part") {
            trial, findings in
            try await trial.append((1...8).map { "\($0)" }, isCommitted: true)
            let rows = try await trial.positions(8)
            let whole = try await trial.store.claim("a", beginningAt: 0)
            try await whole?.save(
                OutboxProgressChange(
                    cursor: rows[6],
                    held: rows.prefix(6).map {
                        OutboxHeldRow(key: "key \($0)", position: $0, attempts: 1, due: 5, isDeadLetter: $0 == rows[5])
                    }))
            await whole?.end(isClean: false)
            let parts = try await partitions(of: "a", 4, trial)
            if parts.count == 1 { return }
            findings.expect(parts.count, 4, "the partitions")
            findings.expect(parts.map(\.beginning.partitions), [4, 4, 4, 4], "the partitions of each session")
            findings.expect(Set(parts.map(\.beginning.cursor)), [rows[6]], "the cursors")
            findings.expect(parts.map(\.beginning.wasInterrupted), [true, true, true, true], "interrupted")
            findings.expect(
                parts.flatMap { $0.beginning.held.map(\.position) }.sorted(), Array(rows.prefix(5)), "the held rows")
            findings.expect(
                try await trial.store.deadLetters(for: "a", limit: 10).map(\.row.position), [rows[5]], "dead letters")
            findings.expect(try await trial.store.redrive(for: "a", positions: nil), 1, "redelivered")
            var held: [Int64] = []
            for part in parts { held += try await part.held().map(\.position) }
            findings.expect(held.sorted(), Array(rows.prefix(6)), "the held rows after a redelivery")
            findings.expect(try await trial.store.observersWithHeldRows(), ["a"], "the observers with held rows")
            for part in parts { await part.end(isClean: true) }
        },
        check("each partition has its own session and progress, and the observer is listed once") {
            trial, findings in
            try await trial.append(["1", "2", "3", "4"], isCommitted: true)
            let rows = try await trial.positions(4)
            let parts = try await partitions(of: "a", 2, trial)
            if parts.count == 1 { return }
            findings.expect(parts.count, 2, "the partitions")
            findings.expect(
                try await trial.store.claim("a", partition: 1, of: 2, beginningAt: 0) == nil, true, "not claimed twice")
            try await parts[0].save(OutboxProgressChange(cursor: rows[3]))
            try await parts[1].save(
                OutboxProgressChange(cursor: rows[1], held: [OutboxHeldRow(key: "k", position: rows[0], attempts: 1)]))
            let record = try await trial.store.observers().first
            findings.expect(try await trial.store.observers().map(\.name), ["a"], "the observers")
            findings.expect(record?.cursor, rows[1], "the lowest cursor")
            findings.expect(record?.held, 1, "the number of held rows")
            findings.expect(record?.partitions, 2, "the number of partitions")
            findings.expect(try await trial.prune().removed, 1, "pruned")
            findings.expect(try await trial.bodies(), ["1", "3", "4"], "the rows")
            await parts[1].end(isClean: true)
            let again = try await trial.store.claim("a", partition: 1, of: 2, beginningAt: 0)
            findings.expect(again?.beginning.cursor, rows[1], "the cursor")
            findings.expect(again?.beginning.wasInterrupted, false, "interrupted")
            await again?.end(isClean: true)
            try await trial.store.remove("a")
            findings.expect(try await trial.store.observers(), [], "the observers")
            do {
                try await parts[0].save(OutboxProgressChange(cursor: 5))
                findings.expect(true, false, "saved")
            } catch let error as OutboxError { findings.expect(error.code, .leaseLost, "the error") }
            await parts[0].end(isClean: true)
        },
        check("a row that several partitions hold is listed once, as a waiting row or as a dead letter") {
            trial, findings in
            try await trial.append(["1", "2"], isCommitted: true)
            let rows = try await trial.positions(2)
            let parts = try await partitions(of: "a", 2, trial)
            if parts.count == 1 { return }
            for isDeadLetter in [false, true] {
                let held = rows.map {
                    OutboxHeldRow(key: "\($0)", position: $0, attempts: 1, isDeadLetter: isDeadLetter)
                }
                for part in parts { try await part.save(OutboxProgressChange(cursor: rows[1], held: held)) }
                let waiting = try await trial.store.waiting(for: "a", limit: 10).map(\.row.position)
                findings.expect(waiting, isDeadLetter ? [] : rows, "the waiting rows")
                let dead = try await trial.store.deadLetters(for: "a", limit: 10).map(\.row.position)
                findings.expect(dead, isDeadLetter ? rows : [], "the dead letters")
            }
            for part in parts { await part.end(isClean: true) }
        },
        check("a dead letter that several partitions hold expires once, and a division keeps its age") {
            trial, findings in
            try await trial.append(["1", "2"], isCommitted: true)
            let rows = try await trial.positions(2)
            func expire(at time: Int64) async throws -> OutboxExpiry {
                try await trial.store.expire(deadLetters: .seconds(-1), inbox: nil, at: time, limit: 10)
            }
            let now: Int64 = 4_000_000_000_000
            let whole = try await trial.store.claim("a", beginningAt: 0)
            try await whole?.save(OutboxProgressChange(cursor: rows[0], held: [dead(rows[0])]))
            await whole?.end(isClean: true)
            // The first call only records the time at which it found the dead letter.
            findings.expect(try await expire(at: now), OutboxExpiry(), "expired at once")
            let parts = try await partitions(of: "a", 2, trial)
            for part in parts { try await part.save(OutboxProgressChange(cursor: rows[1], held: [dead(rows[1])])) }
            findings.expect(try await expire(at: now + 1), OutboxExpiry(deadLetters: ["a": 1]), "the first expired")
            findings.expect(try await expire(at: now + 2), OutboxExpiry(deadLetters: ["a": 1]), "the second expired")
            findings.expect(try await trial.store.deadLetters(for: "a", limit: 10).count, 0, "dead letters")
            for part in parts { await part.end(isClean: true) }
        },
        check("a dead letter that several partitions hold counts once toward the limit of an expiry") {
            trial, findings in
            try await trial.append(["1", "2", "3"], isCommitted: true)
            let rows = try await trial.positions(3)
            let parts = try await partitions(of: "a", 2, trial)
            if parts.count == 1 { return }
            for (part, count) in zip(parts, [2, 3]) {
                try await part.save(OutboxProgressChange(cursor: rows[2], held: rows.prefix(count).map(dead)))
            }
            func expire(at time: Int64) async throws -> OutboxExpiry {
                try await trial.store.expire(deadLetters: .seconds(-1), inbox: nil, at: time, limit: 3)
            }
            let now: Int64 = 4_000_000_000_000
            // The first call only records the time at which it found the dead letters.
            findings.expect(try await expire(at: now), OutboxExpiry(), "expired at once")
            findings.expect(try await expire(at: now + 1), OutboxExpiry(deadLetters: ["a": 3]), "expired")
            for part in parts { await part.end(isClean: true) }
        },
        check("the number of partitions can rise, but never falls") { trial, findings in
            for (wanted, count) in [(2, 2), (8, 8), (4, 8)] {
                let parts = try await partitions(of: "a", wanted, trial)
                if parts.count == 1 { return }
                findings.expect(parts[0].beginning.partitions, count, "partitions after requesting \(wanted)")
                for part in parts { await part.end(isClean: true) }
            }
            findings.expect(
                try await trial.store.claim("a", partition: 8, of: 8, beginningAt: 0) == nil, true, "no partition 8")
        },
    ]

    /// With this key, a row belongs to all partitions.
    private static func dead(_ position: Int64) -> OutboxHeldRow {
        OutboxHeldRow(key: "?\(position)", position: position, attempts: 1, isDeadLetter: true)
    }

    private static func partitions(of observer: String, _ count: Int, _ trial: StoreTrial)
        async throws -> [any OutboxObserverSession]
    {
        var sessions: [any OutboxObserverSession] = []
        for index in 0..<count {
            guard let session = try await trial.store.claim(observer, partition: index, of: count, beginningAt: 0)
            else { break }
            sessions.append(session)
        }
        return sessions
    }
}
