struct DurableRegistration<N: RemoteNotification, Content: TypedNotification & Sendable> {
    let name: String
    let order: DurableOrder<N>
    let beginning: StartPosition
    let delays: RetryPolicy
    let place: SourcePlace
    let content: @Sendable (N, _ id: String, _ attempt: Int, _ mayBeRepeated: Bool) -> Content

    func register(with core: OutboxCore, _ register: (DurableCenter) -> NotificationToken) -> NotificationToken {
        // A registration receives one notification at a time, so each partition has its own registration.
        let parts = (0..<order.partitions).map { self.register(partition: $0, with: core, register) }
        let runners = core.run(name, parts.map(\.consumer), from: beginning, delays: delays)
        for (part, runner) in zip(parts, runners) { part.link.state.withLock { $0.runner = runner } }
        let token = parts.count == 1 ? parts[0].token : PartitionedObservation(tokens: parts.map(\.token)).token()
        if runners[0].status.isOver { token.cancel() }
        return token
    }

    private func register(
        partition index: Int, with core: OutboxCore, _ register: (DurableCenter) -> NotificationToken
    ) -> (token: NotificationToken, consumer: RowConsumer, link: RunnerLink) {
        let link = RunnerLink()
        let center = DurableCenter(base: core.base) { [weak core] mailbox in
            let queue = DurableQueue(mailbox) { [weak core, weak link] in
                guard let core, let runner = link?.runner else { return nil }
                return DurableObserverStatus(core.runners(sharing: runner).map { core.snapshot(of: $0) })
            } whenHandled: { [weak core, weak link] wait, resume in
                guard let core, let runner = link?.runner else { return resume() }
                core.whenHandled(bySharing: runner, for: wait, resume)
            } giveUp: { [weak core, weak link] wait in
                guard let core, let runner = link?.runner else { return }
                for runner in core.runners(sharing: runner) { runner.status.giveUp(wait) }
            }
            link.state.withLock { $0.queue = queue }
            return queue
        }
        let token = register(center)
        let observation = token.observation
        // The link keeps the name alive. The runner keeps the link alive, through the closures of its consumer.
        let givenName = GivenName(Partitions.name(name, index), of: observation.knownNumbers)
        link.state.withLock { $0.name = givenName }
        let place = place
        let queue = link.state.withLock { $0.queue }
        let consumer = RowConsumer(
            names: [N.wireName], isStrict: order.isStrict,
            prepare: { row in prepare(row, center, queue, place, core.identity, isActive: { observation.isActive }) },
            isActive: { link.state.withLock { $0.queue != nil } && observation.isActive },
            end: { observation.cancel() })
        return (token, consumer, link)
    }

    private func prepare(
        _ row: OutboxRow, _ center: DurableCenter, _ queue: DurableQueue?, _ place: SourcePlace, _ identity: String,
        isActive: @escaping @Sendable () -> Bool
    ) -> RowConsumer.Work {
        let notification: N
        do {
            guard N.readableVersions.contains(row.version) else {
                return hopeless(row, .unknownVersion, "version \(row.version) of \(N.wireName) is not supported")
            }
            let isCurrent = row.version == N.wireVersion
            notification = try isCurrent ? N.decoded(row.body) : N.decoded(row.body, version: row.version)
        } catch { return hopeless(row, .undecodable, "\(error)") }
        let content = content
        let action = RowConsumer.Action.deliver { attempt, mayBeRepeated in
            let content = content(notification, "\(identity)-\(row.id)", attempt, mayBeRepeated)
            return { note in
                DeliveryWithoutWaiting.begin(for: queue) {
                    center.post(content, from: place)
                } whenFinished: {
                    note(outcome(of: $0, place, isActive))
                }
            }
        }
        return RowConsumer.Work(row: row, key: order.key(notification, row.id), action: action)
    }

    private func outcome(
        of receipt: DeliveryReceipt, _ place: SourcePlace, _ isActive: @Sendable () -> Bool
    ) -> RowConsumer.Outcome {
        // If the observer posts, the receipt also lists failures of that post's observers, which don't count here.
        if let failure = receipt.failures.first(where: { $0.place == place }) { return .failed("\(failure.error)") }
        // If an observer of such a post drains this observer's queue, the receipt is incomplete, but the call is over.
        if receipt.asynchronousCalls > 0 { return .done }
        return receipt.observers == 0 && isActive() ? .done : .interrupted
    }

    private func hopeless(_ row: OutboxRow, _ kind: OutboxFault.Kind, _ error: String) -> RowConsumer.Work {
        RowConsumer.Work(row: row, key: Partitions.unreadableKey(of: row), action: .hopeless(kind, error))
    }
}

private struct PartitionedObservation: NumberedObservation {
    let tokens: [NotificationToken]

    var center: ObjectIdentifier? { tokens[0].observation.center }
    var isActive: Bool { tokens.contains(where: \.isActive) }
    var numbers: [UInt64] { tokens.flatMap(\.observation.knownNumbers) }
    var isCalled: Bool { tokens.contains(where: \.observation.mayBeCalled) }

    func cancel() { for token in tokens { token.cancel() } }

    func end(_ reason: ObservationEndReason) {
        // `tokens` are released with this token. Their release ends the observations that have no owner.
        if reason == .tokenReleased { return }
        for token in tokens { token.observation.end(reason) }
    }

    func drain() async { for token in tokens { await token.observation.drain() } }
}

private final class RunnerLink: Sendable {
    struct State {
        weak var runner: ObserverRunner?
        /// This reference is strong, because the registration holds the queue weakly.
        var queue: DurableQueue?
        var name: GivenName?
    }

    let state = Lock(State())

    var runner: ObserverRunner? { state.withLock { $0.runner } }
}

extension NotificationOutbox {
    /// Calls a closure with each stored notification of a type: at least once, in order, and again after a failure.
    ///
    /// While no program runs the observer, stored notifications wait for it. If the observer throws, it
    /// receives the notification again after the delays in `retrying`, and `ordered` determines which later
    /// notifications wait. The observer ends when its owner is released, its token is cancelled, or the outbox
    /// finishes. The table keeps unhandled notifications for the next observer with that name.
    ///
    /// If the name is invalid or in use in this program, the observation ends with an ``OutboxFault/Kind/invalidName``.
    /// It also ends with this fault if `ordered` is `.strict` and the observer in the table has partitions.
    ///
    /// ```swift
    /// outbox.addObserver(mailer, named: "mails", on: .actor, for: OrderPlaced.self, ordered: .by(\.order)) { me, note in
    ///     try await me.send(note)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - owner: The owner, held weakly.
    ///   - name: The name under which the table stores the observer's progress: letters, digits, `-`, `_` and `.`. If
    ///     several programs have an observer with the name, one of them runs it, or they share its partitions.
    ///   - delivery: Where the observer runs, as for observers of a center.
    ///   - type: The notification type.
    ///   - condition: Returns whether the observer wants a notification; `nil` for all notifications. A notification
    ///     that it rejects counts as handled.
    ///   - order: Which notifications wait while one is retried.
    ///   - beginning: The start position of an observer that isn't in the table yet.
    ///   - delays: The delay before each retry.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure, which returns when the notification is handled.
    /// - Returns: A token that can end the observation earlier. You can discard it.
    @discardableResult
    public func addObserver<Owner: AnyObject & Sendable, N: RemoteNotification, Handler: Sendable>(
        _ owner: Owner, named name: String, on delivery: OwnerDelivery<Owner, N, Handler>, for type: N.Type,
        where condition: (@Sendable (N) -> Bool)? = nil, ordered order: DurableOrder<N> = .strict,
        from beginning: StartPosition = .new, retrying delays: RetryPolicy = .standard,
        fileID: StaticString = #fileID, line: UInt = #line, using observer: Handler
    ) -> NotificationToken {
        let place = SourcePlace(fileID: fileID, line: line)
        return DurableRegistration(name: name, order: order, beginning: beginning, delays: delays, place: place) {
            note, _, _, _ in note
        }.register(with: core) { center in
            center.addObserver(
                owner, on: delivery, for: type, where: condition, fileID: fileID, line: line, using: observer)
        }
    }

    /// Calls a closure with each stored notification of a type, while the token is kept.
    ///
    /// - Parameters:
    ///   - name: The name under which the table stores the observer's progress.
    ///   - delivery: Where the observer runs, as for observers of a center.
    ///   - type: The notification type.
    ///   - condition: Returns whether the observer wants a notification; `nil` for all notifications. A notification
    ///     that it rejects counts as handled.
    ///   - order: Which notifications wait while one is retried.
    ///   - beginning: The start position of an observer that isn't in the table yet.
    ///   - delays: The delay before each retry.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure, which returns when the notification is handled.
    /// - Returns: The token, which keeps the observer alive.
    public func addObserver<N: RemoteNotification, Handler: Sendable>(
        named name: String, on delivery: Delivery<N, Handler>, for type: N.Type,
        where condition: (@Sendable (N) -> Bool)? = nil, ordered order: DurableOrder<N> = .strict,
        from beginning: StartPosition = .new, retrying delays: RetryPolicy = .standard,
        fileID: StaticString = #fileID, line: UInt = #line, using observer: Handler
    ) -> NotificationToken {
        let place = SourcePlace(fileID: fileID, line: line)
        return DurableRegistration(name: name, order: order, beginning: beginning, delays: delays, place: place) {
            note, _, _, _ in note
        }.register(with: core) { center in
            center.addObserver(on: delivery, for: type, where: condition, fileID: fileID, line: line, using: observer)
        }
    }

    /// Calls a closure with each stored notification of a type, as a ``StoredNotification`` that contains its metadata.
    ///
    /// ```swift
    /// outbox.addObserver(stock, named: "stock", on: .actor, forStored: OrderPlaced.self) { me, stored in
    ///     try await me.database.write { db in try inbox.once(stored, in: db) { try me.take(stored.notification, db) } }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - owner: The owner, held weakly.
    ///   - name: The name under which the table stores the observer's progress.
    ///   - delivery: Where the observer runs, as for observers of a center.
    ///   - type: The notification type.
    ///   - order: Which notifications wait while one is retried.
    ///   - beginning: The start position of an observer that isn't in the table yet.
    ///   - delays: The delay before each retry.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure, which returns when the notification is handled.
    /// - Returns: A token that can end the observation earlier. You can discard it.
    @discardableResult
    public func addObserver<Owner: AnyObject & Sendable, N: RemoteNotification, Handler: Sendable>(
        _ owner: Owner, named name: String, on delivery: OwnerDelivery<Owner, StoredNotification<N>, Handler>,
        forStored type: N.Type, ordered order: DurableOrder<N> = .strict, from beginning: StartPosition = .new,
        retrying delays: RetryPolicy = .standard, fileID: StaticString = #fileID, line: UInt = #line,
        using observer: Handler
    ) -> NotificationToken {
        let place = SourcePlace(fileID: fileID, line: line)
        return DurableRegistration(name: name, order: order, beginning: beginning, delays: delays, place: place) {
            StoredNotification($0, id: $1, observer: name, attempt: $2, mayBeRepeated: $3)
        }.register(with: core) { center in
            center.addObserver(
                owner, on: delivery, for: StoredNotification<N>.self, fileID: fileID, line: line, using: observer)
        }
    }
}
