import TidingsEngine

/// Whether a monitor has ever been called. While this is `false`, no running code was caused by a monitor. Accesses are
/// relaxed, because code that a monitor causes runs later in the task that stored `true`, or in a task created by it.
@usableFromInline let monitorsHaveRun = AtomicByte(false)

@usableFromInline
package final class Monitoring: Sendable {
    private let attached = Lock<MonitorList?>(nil)

    /// Whether there is any monitor. Stored under the lock with release order, and loaded by `isActive` with acquire
    /// order: code that reads `true` sees the list that contains the monitor.
    @export(implementation) let active = AtomicByte(false)

    /// The events that the channels of a center report, as ``HostInterests``; stored under the lock.
    private let told = AtomicByte<UInt8>(0)

    private let hasRestingWatch = AtomicByte(false)

    @usableFromInline
    package init() {}

    @export(implementation) package var isActive: Bool { active.load(ordering: .acquiring) }

    var interests: HostInterests { HostInterests(rawValue: told.load(ordering: .acquiring)) }

    func add(_ monitor: AttachedMonitor) {
        marksAreKept.store(true, ordering: .relaxed)
        attached.withLock { attached in
            let list = MonitorList((attached?.all ?? []) + [monitor], of: self)
            attached = list
            told.store(list.interests.rawValue, ordering: .releasing)
            active.store(true, ordering: .releasing)
        }
    }

    func remove(_ monitor: AttachedMonitor) {
        // The list is returned as `previous` and released after the unlock: the release may run a monitor's `deinit`.
        _ = attached.withLock { attached in
            let previous = attached
            let left = previous?.all.filter { $0 !== monitor } ?? []
            attached = left.isEmpty ? nil : MonitorList(left, of: self)
            told.store(attached?.interests.rawValue ?? 0, ordering: .releasing)
            active.store(!left.isEmpty, ordering: .releasing)
            return previous
        }
    }

    /// All attached monitors, whether or not a monitor caused the current code; `nil` if there are none.
    var list: MonitorList? { attached.withLock { $0 } }

    /// The monitors to which the current task sends events; empty if a monitor caused the current code.
    var current: [AttachedMonitor] { currentList?.all ?? [] }

    private var currentList: MonitorList? {
        if Self.isCausing { return nil }
        ToldPost.tellCallsOfThread()
        return list
    }

    package func send(_ event: NotificationEvent) {
        guard let list = currentList else { return }
        let monitors = if case .queued = event { list.ofQueue } else { list.all }
        for monitor in monitors { monitor.receive(event) }
    }

    func noteRestingWatch() { hasRestingWatch.store(true, ordering: .sequentiallyConsistent) }

    @inline(__always)
    package func watchCalls() {
        if hasRestingWatch.load(ordering: .sequentiallyConsistent) { beginWatching() }
    }

    @inline(never)
    private func beginWatching() {
        hasRestingWatch.store(false, ordering: .sequentiallyConsistent)
        for monitor in list?.all ?? [] { monitor.beginWatching() }
    }

    @usableFromInline static var isCausing: Bool { MonitoredTask.current.isCausedByMonitor }

    private static func noteMonitorRun() {
        if !monitorsHaveRun.load(ordering: .relaxed) { monitorsHaveRun.store(true, ordering: .relaxed) }
    }

    private static let caused = MonitoredTask(isCausedByMonitor: true)

    static func causing<Result>(_ body: () -> Result) -> Result {
        noteMonitorRun()
        return MonitoredTask.local.withValue(caused, operation: body)
    }

    nonisolated(nonsending)
        static func causing(_ body: nonisolated(nonsending) () async -> (any Error)?) async -> (any Error)?
    {
        noteMonitorRun()
        var error: (any Error)?
        await MonitoredTask.local.withValue(caused) { error = await body() }
        return error
    }
}
