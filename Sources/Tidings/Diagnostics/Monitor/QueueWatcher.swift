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

    /// Tells the monitors what became of a notification that was put into the queue.
    func tell(waiting: Int?, dropped: Int?) {
        if let dropped { monitoring.send(.dropped(observer, total: dropped)) }
        if let waiting { monitoring.send(.queued(observer, waiting: waiting)) }
    }
}
