/// What the queue of an asynchronous observer tells to monitors.
@usableFromInline
package final class QueueWatcher: Sendable {
    let observer: ObserverDescription
    private let monitoring: Monitoring

    init(_ observer: ObserverDescription, _ monitoring: Monitoring) {
        self.observer = observer
        self.monitoring = monitoring
    }

    /// Whether there is any monitor.
    var isActive: Bool { monitoring.isActive }

    /// What is known of a notification that begins to wait; `nil` if no monitor wants to know.
    func trace(scope: DeliveryScope) -> QueueTrace? {
        if Monitoring.isCausing { return QueueTrace(observer, [], scope: scope, isCausedByMonitor: true) }
        let monitors = monitoring.current
        if monitors.isEmpty { return nil }
        return QueueTrace(observer, monitors, scope: scope, isCausedByMonitor: false)
    }

    /// Tells the monitors how many notifications wait.
    func tell(waiting: Int) { monitoring.send(.queued(observer, waiting: waiting)) }

    /// Tells the monitors that a notification was dropped, and how many were in all.
    func tell(dropped: Int) { monitoring.send(.dropped(observer, total: dropped)) }
}
