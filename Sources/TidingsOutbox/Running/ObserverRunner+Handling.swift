extension ObserverRunner {
    /// Handles rows after the cursor or, with `attempts`, retried rows. Returns false if it stopped early.
    @discardableResult
    func handle(_ prepared: PreparedRows, _ attempts: [Int64: Int]?, _ turn: inout Turn) async throws -> Bool {
        var works = prepared
        if consumer.handleTogether != nil { return try await handleTogether(works.rows, attempts, &turn) }
        var next = 0
        while next < works.rows.count {
            let work = works[next]
            if attempts == nil {
                guard turn.progress.mayTakeNew else { return false }
                guard turn.progress.take(work.row.position, key: work.key) else {
                    next += 1
                    continue
                }
            }
            let outcomes = await deliver(&works, from: next, attempts, &turn)
            for (offset, outcome) in outcomes.enumerated() {
                guard try await note(outcome, of: works[next + offset], &turn) else { return false }
            }
            next += outcomes.count
            if isStopping || turn.session.isWantedElsewhere { return false }
            if attempts != nil, isToReadHeld.withLock({ $0 }) { return false }
            if turn.isTimeToSave(at: clock.milliseconds, options) { try await save(&turn) }
        }
        return true
    }

    private func deliver(
        _ works: inout PreparedRows, from first: Int, _ attempts: [Int64: Int]?, _ turn: inout Turn
    ) async -> [RowConsumer.Outcome] {
        if case .hopeless(let kind, let error) = works[first].action { return [.hopeless(kind, error)] }
        var deliveries: [(row: OutboxRow, begin: RowConsumer.Begin)] = []
        let end = min(works.rows.count, first + turn.seriesLength(options))
        for index in first..<end {
            let work = works[index]
            guard case .deliver(let delivery) = work.action else { break }
            // A row behind a held row with the same key isn't delivered. `handle` holds it later.
            if index > first, attempts == nil, !turn.progress.canTake(work.row.position, key: work.key) { break }
            let attempt = attempts?[work.row.position] ?? 0
            let mayBeRepeated =
                turn.progress.hasFailed(work.row.position)
                || turn.mayBeRepeated(work.row.position, isHeld: attempts != nil)
            deliveries.append((work.row, delivery(attempt + 1, mayBeRepeated)))
        }
        let series = RowSeries(deliveries, status, clock, within: turn.seriesTime(options))
        series.begin()
        // The next rows are decoded while the observer handles these.
        works.prepare(upTo: first + 2 * deliveries.count)
        let outcomes = await series.outcomes()
        turn.seriesEnded(of: deliveries.count, handled: outcomes.count)
        return outcomes
    }

    private func handleTogether(_ rows: [OutboxRow], _ attempts: [Int64: Int]?, _ turn: inout Turn) async throws -> Bool
    {
        var works: [RowConsumer.Work] = []
        for row in rows {
            let work = consumer.prepare(row)
            if attempts != nil || turn.progress.canTake(row.position, key: work.key) { works.append(work) }
        }
        // A relay may wait for a connection for a long time. It isn't hanging then, so this isn't noted as a call.
        if let row = works.first?.row {
            status.begin(row, at: clock.milliseconds, age: clock.wall - row.storedAt, isCall: false)
        }
        let outcomes = await consumer.handleTogether?(works) ?? []
        var results = Dictionary(uniqueKeysWithValues: zip(works.map(\.row.position), zip(works, outcomes)))
        // The rows were handled together, so each outcome counts, even after a failure.
        for row in rows {
            guard let (work, outcome) = results.removeValue(forKey: row.position) else {
                if attempts == nil, turn.progress.take(row.position, key: consumer.prepare(row).key) { return false }
                continue
            }
            switch outcome {
            case .done, .interrupted: guard try await note(outcome, of: work, &turn) else { return false }
            case .failed(let error): guard try await fail(work, error, nil, &turn) else { return false }
            case .hopeless(let kind, let error): guard try await fail(work, error, kind, &turn) else { return false }
            }
        }
        return true
    }

    /// Returns whether to handle further rows.
    private func note(_ outcome: RowConsumer.Outcome, of work: RowConsumer.Work, _ turn: inout Turn) async throws
        -> Bool
    {
        switch outcome {
        case .done:
            turn.progress.succeed(work.row.position)
            status.countDone()?.note(work.row.id, by: observer, nil)
            return true
        case .interrupted:
            turn.wasInterrupted = true
            return false
        case .failed(let error): guard try await fail(work, error, nil, &turn) else { return false }
        case .hopeless(let kind, let error):
            if kind == .unknownVersion, mayHandOver(work.row.position, &turn) { throw HandOver() }
            guard try await fail(work, error, kind, &turn) else { return false }
        }
        return turn.progress.mayTakeNew
    }

    /// Returns false if the attempt doesn't count, because the store was failing.
    private func fail(_ work: RowConsumer.Work, _ error: String, _ kind: OutboxFault.Kind?, _ turn: inout Turn)
        async throws -> Bool
    {
        var delay: Duration?
        var isDropped = false
        // A row that this program can't read is retried, because a program of a newer version may take over.
        if kind == nil || kind == .unknownVersion, !turn.progress.isLastAttempt(work.row.position) {
            delay = turn.progress.fail(work.row.position, key: work.key, error: error, now: clock.milliseconds)
        } else {
            // While the store fails, an observer that uses the same database fails too. The row is therefore retried if
            // the store was failing, or if the dead letter can't be saved.
            if kind == nil, status.isStoreFailing {
                turn.progress.failUncounted(work.row.position)
                try await turn.session.save(OutboxProgressChange(cursor: turn.progress.savedCursor))
                storeWorks()
                return false
            }
            let isStored = turn.progress.isStored(work.row.position)
            let burial = turn.progress.bury(work.row.position, key: work.key, error: error)
            if kind == nil || isStored {
                do { isDropped = try await save(&turn).contains(work.row.position) } catch {
                    turn.progress.undo(burial)
                    throw error
                }
            }
        }
        let isDead = delay == nil && !isDropped
        let watcher = status.countFailure(error, at: clock.milliseconds, isDeadLetter: isDead)
        watcher?.note(work.row.id, by: observer, (error, isDead))
        let id = "\(identity)-\(work.row.id)"
        let next = delay.map { "; retried in \($0)" } ?? (isDropped ? "; the notification was dropped" : "")
        report(.init(kind ?? (isDead ? .deadLetter : .observerFailed), observer: observer, id: id, error + next))
        return true
    }
}
