struct RelayedRows: TypedNotification {}

/// Lists a relay's sender in the center like a durable observer. The sender reads stored rows, and receives no posts.
final class SenderObservation: Sendable {
    private let token: NotificationToken
    private let name: GivenName

    init(of runner: ObserverRunner, _ core: OutboxCore) {
        let queue = SenderQueue(runner, core)
        let registration = ObserverRegistration(fileID: #fileID, line: #line, delivery: .task)
            .withoutReplay.with(type: RelayedRows.self).with(queue: queue)
        let address = DurableAddress()
        token = core.base.observe(
            DurableDelivery<RelayedRows>.self, sender: SenderFilter(address, of: DurableDelivery<RelayedRows>.self),
            registration: registration
        ) { _ in
            // The registration holds the queue and the address weakly, so this closure keeps them alive.
            withExtendedLifetime((queue, address)) {}
        }.token()
        name = GivenName(runner.name, of: token.observation.knownNumbers)
    }

    func end() { token.cancel() }
}

private final class SenderQueue: ObserverQueue {
    private weak let runner: ObserverRunner?
    private weak let core: OutboxCore?

    init(_ runner: ObserverRunner, _ core: OutboxCore) {
        self.runner = runner
        self.core = core
    }

    var status: QueueStatus {
        var queue = QueueStatus()
        queue.isStored = true
        guard let runner, let core else { return queue }
        let status = core.snapshot(of: runner)
        (queue.queued, queue.failed, queue.retrying) = (status.backlog, status.deadLetters, status.held)
        (queue.calls.left, queue.calls.begun, queue.calls.called) = (status.handled, status.handled, status.handled)
        return queue
    }

    func report(to reporter: QueueReporter) {}
    func countDrops(with counter: DropCounter) {}
    func cancel() {}
}
