extension NotificationOutbox: RelaySource {
    /// The table from which a relay sends: see `NotificationRelay`.
    public var relaySource: RelayedTable { RelayedTable(core) }
}

extension OutboxCore: TableAccess {
    package func reserve(_ posts: [String: PostPastRelay], for senders: [String]) -> String? {
        for sender in senders {
            if let reason = OutboxNames.refusal(ofObserver: sender) { return reason }
            if isTaken(sender) { return "there is a durable observer named \"\(sender)\" already" }
        }
        return relays.withLock { relays in
            if let name = posts.keys.sorted().first(where: { relays.posts[$0] != nil }) {
                return "another relay sends \(name) from the outbox"
            }
            if let sender = senders.first(where: relays.senders.contains) {
                return "another relay sends from the outbox as \(sender)"
            }
            relays.posts.merge(posts) { first, _ in first }
            relays.senders.formUnion(senders)
            return nil
        }
    }

    package func release(_ names: [String], _ senders: [String]) {
        relays.withLock { relays in
            for name in names { relays.posts[name] = nil }
            relays.senders.subtract(senders)
        }
    }

    package func run(
        _ sender: String, _ names: Set<String>, while isActive: @escaping @Sendable () -> Bool,
        _ send: @escaping @Sendable ([TableRow]) async -> [TableRow.Outcome]
    ) -> any TableSender {
        let identity = identity
        // All rows have the same key, so that later rows wait for a retried one.
        let consumer = RowConsumer(
            names: names, isStrict: true, prepare: { row in RowConsumer.Work(row: row, key: "", action: .together) },
            handleTogether: { works in
                await send(works.map { TableRow($0.row, identity) }).map(RowConsumer.Outcome.init)
            }, isActive: isActive)
        // The sender starts with the oldest row, because rows may have been committed before it first ran.
        let runner = run(sender, [consumer], from: .stored, delays: .standard)[0]
        let task = task(of: sender)
        let observation = SenderObservation(of: runner, self)
        Task.detached {
            await task?.value
            observation.end()
        }
        return RelayRunner(runner: runner, core: self, task: task)
    }
}

private struct RelayRunner: TableSender {
    let runner: ObserverRunner
    let core: OutboxCore
    let task: Task<Void, Never>?

    func stop() { runner.stop() }
    func waitForEnd() async { await task?.value }

    var isRunningHere: Bool { runner.status.place == .running }

    var backlog: Int {
        // The snapshot of an ended sender reports no backlog, so the backlog is computed from the last cursor.
        let snapshot = core.snapshot(of: runner)
        return snapshot.state == .ended ? Int(max(0, core.newest(for: runner) - snapshot.cursor)) : snapshot.backlog
    }
}

extension TableRow {
    fileprivate init(_ row: OutboxRow, _ identity: String) {
        self.init(
            id: "\(identity)-\(row.id)", name: row.name, version: row.version, body: row.body, storedAt: row.storedAt)
    }
}

extension RowConsumer.Outcome {
    fileprivate init(_ outcome: TableRow.Outcome) {
        self =
            switch outcome {
            case .sent: .done
            case .failed(let words): .failed(words)
            case .undecodable(let words): .hopeless(.undecodable, words)
            case .unknownVersion(let words): .hopeless(.unknownVersion, words)
            case .refused(let words): .hopeless(.deadLetter, words)
            case .interrupted: .interrupted
            }
    }
}
