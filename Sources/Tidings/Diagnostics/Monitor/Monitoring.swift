import Synchronization

/// The monitors of one center.
@usableFromInline
package final class Monitoring: Sendable {
    /// Whether a monitor causes what happens now.
    @TaskLocal private static var isCausedByMonitor = false

    private let attached = Lock<[AttachedMonitor]>([])
    private let active = Atomic(false)

    package init() {}

    /// Whether there is any monitor.
    package var isActive: Bool { active.load(ordering: .acquiring) }

    func add(_ monitor: AttachedMonitor) {
        attached.withLock { attached in
            attached.append(monitor)
            active.store(true, ordering: .releasing)
        }
    }

    func remove(_ monitor: AttachedMonitor) {
        // What is taken out is released after the lock.
        let previous = attached.withLock { attached in
            let previous = attached
            attached.removeAll { $0 === monitor }
            active.store(!attached.isEmpty, ordering: .releasing)
            return previous
        }
        _ = previous
    }

    /// The monitors to be told what happens now: none of what a monitor causes.
    var current: [AttachedMonitor] { Self.isCausedByMonitor ? [] : attached.withLock { $0 } }

    /// Tells the monitors an event.
    package func send(_ event: NotificationEvent) {
        for monitor in current { monitor.receive(event) }
    }

    // MARK: What monitors cause

    /// Whether what happens now is caused by a monitor.
    static var isCausing: Bool { isCausedByMonitor }

    /// Runs something that a monitor causes.
    static func causing(_ body: () -> Void) { $isCausedByMonitor.withValue(true, operation: body) }

    /// Runs something that a monitor causes and that may be suspended.
    nonisolated(nonsending)
        static func causing(_ body: nonisolated(nonsending) () async -> Void) async
    {
        await $isCausedByMonitor.withValue(true, operation: body)
    }
}
