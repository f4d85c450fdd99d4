import TidingsEngine

/// Whether a monitor was ever told anything. Before that, no work is caused by one, and nobody need look whether it is.
///
/// Relaxed: what a monitor causes comes after the store in its own task, or in one that this has made.
@usableFromInline let monitorsHaveRun = AtomicByte(false)

/// The monitors of one center or bus.
@usableFromInline
package final class Monitoring: Sendable {
    private let attached = Lock<MonitorList?>(nil)

    /// Whether there is any monitor, to be read without the lock.
    ///
    /// It is stored under the lock, with release order, and `isActive` loads it with acquire order: code that reads `true`
    /// there sees the list with the monitor in it.
    @export(implementation) let active = AtomicByte(false)

    /// What the channels of a center tell, as ``HostInterests``; stored under the lock.
    private let told = AtomicByte<UInt8>(0)

    /// Whether a monitor's watch of calls may have no timer.
    private let hasRestingWatch = AtomicByte(false)

    @usableFromInline
    package init() {}

    /// Whether there is any monitor.
    @export(implementation) package var isActive: Bool { active.load(ordering: .acquiring) }

    /// What the channels of a center tell.
    var interests: HostInterests { HostInterests(rawValue: told.load(ordering: .acquiring)) }

    func add(_ monitor: AttachedMonitor) {
        attached.withLock { attached in
            let list = MonitorList((attached?.all ?? []) + [monitor], of: self)
            attached = list
            told.store(list.interests.rawValue, ordering: .releasing)
            active.store(true, ordering: .releasing)
        }
    }

    func remove(_ monitor: AttachedMonitor) {
        // The list as it was leaves the lock, so that the `deinit` of a monitor that is released with it runs without the lock.
        let previous = attached.withLock { attached in
            let previous = attached
            let left = previous?.all.filter { $0 !== monitor } ?? []
            attached = left.isEmpty ? nil : MonitorList(left, of: self)
            told.store(attached?.interests.rawValue ?? 0, ordering: .releasing)
            active.store(!left.isEmpty, ordering: .releasing)
            return previous
        }
        _ = previous
    }

    /// The monitors, also if one of them causes the event; `nil` if there are none.
    var list: MonitorList? { attached.withLock { $0 } }

    /// The monitors to tell about an event of this task: none, if a monitor causes the event. They are told first what this
    /// thread has not told yet.
    var current: [AttachedMonitor] {
        if Self.isCausing { return [] }
        ToldPost.tellCallsOfThread()
        return list?.all ?? []
    }

    /// Those of them that are interested in the post that this thread makes, if it makes one, and in what becomes of a
    /// notification that waits.
    var currentOfQueue: [AttachedMonitor] {
        if Self.isCausing { return [] }
        ToldPost.tellCallsOfThread()
        return list?.ofQueue ?? []
    }

    /// Tells the monitors an event.
    package func send(_ event: NotificationEvent) {
        let monitors = if case .queued = event { currentOfQueue } else { current }
        for monitor in monitors { monitor.receive(event) }
    }

    // MARK: Calls that take too long

    /// Notes that a watch has no timer.
    func noteRestingWatch() { hasRestingWatch.store(true, ordering: .sequentiallyConsistent) }

    /// Has the watches look at the calls, as one begins, or a notification begins to wait.
    @inline(__always)
    package func watchCalls() {
        if hasRestingWatch.load(ordering: .relaxed) { beginWatching() }
    }

    @inline(never)
    private func beginWatching() {
        hasRestingWatch.store(false, ordering: .sequentiallyConsistent)
        for monitor in list?.all ?? [] { monitor.beginWatching() }
    }

    // MARK: Long queues of which monitors are told nothing else

    /// Tells the monitors that are warned of long queues that one is short again.
    ///
    /// - Parameters:
    ///   - observer: The observer.
    ///   - waiting: How many notifications wait for it.
    ///   - most: How many did.
    func tellRecovery(of observer: ObserverDescription, waiting: Int, most: Int) {
        for monitor in current { monitor.receive(recoveryOf: observer, waiting: waiting, most: most) }
    }

    // MARK: Work that a monitor causes

    /// Whether a monitor causes the work of this task.
    @usableFromInline static var isCausing: Bool { MonitoredTask.current.isCausedByMonitor }

    /// Notes that a monitor causes work.
    private static func noteMonitorRun() {
        if !monitorsHaveRun.load(ordering: .relaxed) { monitorsHaveRun.store(true, ordering: .relaxed) }
    }

    private static let caused = MonitoredTask(isCausedByMonitor: true)

    /// Runs something that a monitor causes.
    static func causing<Result>(_ body: () -> Result) -> Result {
        noteMonitorRun()
        return MonitoredTask.$current.withValue(caused, operation: body)
    }

    /// Runs something that a monitor causes, and that may be suspended and may fail.
    nonisolated(nonsending)
        static func causing(_ body: nonisolated(nonsending) () async -> (any Error)?) async -> (any Error)?
    {
        noteMonitorRun()
        var error: (any Error)?
        await MonitoredTask.$current.withValue(caused) { error = await body() }
        return error
    }
}
