import Synchronization

/// The monitors of one center or bus.
@usableFromInline
package final class Monitoring: Sendable {
    /// Whether a monitor causes the work of this task.
    @TaskLocal private static var isCausedByMonitor = false

    private let attached = Lock<[AttachedMonitor]>([])

    /// Whether there is any monitor, to be read without the lock.
    ///
    /// It is stored under the lock, with release order, and `isActive` loads it with acquire order: code that reads `true`
    /// there sees the list with the monitor in it.
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
        // The list as it was leaves the lock, so that the `deinit` of a monitor that is released with it runs without the lock.
        let previous = attached.withLock { attached in
            let previous = attached
            attached.removeAll { $0 === monitor }
            active.store(!attached.isEmpty, ordering: .releasing)
            return previous
        }
        _ = previous
    }

    /// The monitors to tell about an event of this task: none, if a monitor causes the event.
    var current: [AttachedMonitor] { Self.isCausedByMonitor ? [] : attached.withLock { $0 } }

    /// Tells the monitors an event.
    package func send(_ event: NotificationEvent) {
        for monitor in current { monitor.receive(event) }
    }

    // MARK: Work that a monitor causes

    /// Whether a monitor causes the work of this task.
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

/// A post, or a call in it, that has begun and that monitors are told about when it has ended, each with the duration by its
/// own clock, if it wants to know it.
struct MonitoredSpan {
    private let monitors: [AttachedMonitor]
    private let starts: [Duration?]

    /// - Parameters:
    ///   - monitors: The monitors.
    ///   - isWarnedOf: Whether a warning may be given for the duration, so that it is measured for those who want warnings, too.
    init(_ monitors: [AttachedMonitor], isWarnedOf: Bool = false) {
        self.monitors = monitors
        starts = monitors.map { $0.beginMeasuring(isWarnedOf: isWarnedOf) }
    }

    /// Tells the monitors of the end.
    ///
    /// - Parameter event: Makes the event from the duration.
    func end(_ event: (Duration?) -> NotificationEvent) {
        for (monitor, start) in zip(monitors, starts) { monitor.receive(event(start.map { monitor.now - $0 })) }
    }

    /// Makes a post in the contexts of all monitors that carry one: the first monitor's is the outermost.
    func surround(post subject: NotificationSubject, from place: SourcePlace?, _ body: () -> Void) {
        surround(post: subject, from: place, monitors.compactMap(\.carrier)[...], body)
    }

    private func surround(
        post subject: NotificationSubject, from place: SourcePlace?,
        _ carriers: ArraySlice<any ContextCarryingMonitor>, _ body: () -> Void
    ) {
        guard let carrier = carriers.first else { return body() }
        carrier.post(subject, from: place) { surround(post: subject, from: place, carriers.dropFirst(), body) }
    }
}
