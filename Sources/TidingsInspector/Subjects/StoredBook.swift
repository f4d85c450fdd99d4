import Tidings

/// The last report of an outbox. ``outbox(named:)`` returns this report without waiting for the store, and starts a
/// query for a new report unless a query is already running.
final class StoredBook: Sendable {
    private struct State {
        var report: StoredReport?
        var error: String?
        var change: InspectorSnapshot.StoredChange?
        var isQuerying = false
        var isOutdated = false
    }

    private static let limit = 100

    private let list: @Sendable () async throws -> StoredReport?
    private let change: @Sendable (InspectorSnapshot.StoredChange) async throws -> Int?
    private let state = Lock(State())

    init(_ manager: some StoredNotificationManager) {
        list = { [weak manager] in try await manager?.storedNotifications(limit: Self.limit) }
        change = { [weak manager] change in
            guard let kind = StoredReport.Kind(rawValue: change.kind.rawValue) else { return nil }
            return try await manager?.perform(
                change.action == .redrive ? .redrive : .drop, on: kind, of: change.observer, id: change.id)
        }
    }

    func outbox(named name: String) -> InspectorSnapshot.Outbox {
        let (state, starts) = state.withLock { state in
            defer { state.isQuerying = true }
            return (state, !state.isQuerying)
        }
        if starts { Task.detached { await self.query() } }
        return InspectorSnapshot.Outbox(
            name: name, isKnown: state.report != nil, observers: (state.report?.observers ?? []).map { .init($0) },
            entries: (state.report?.entries ?? []).compactMap { InspectorSnapshot.StoredEntry($0) }, error: state.error,
            lastChange: state.change)
    }

    private func query() async {
        var isOver = false
        while !isOver {
            state.withLock { $0.isOutdated = false }
            let result: Result<StoredReport?, any Error>
            do { result = .success(try await list()) } catch { result = .failure(error) }
            isOver = state.withLock { state in
                switch result {
                case .success(let report): (state.report, state.error) = (report, nil)
                case .failure(let error): state.error = "\(error)".plain
                }
                if !state.isOutdated { state.isQuerying = false }
                return !state.isOutdated
            }
        }
    }

    func perform(_ wanted: InspectorSnapshot.StoredChange) {
        state.withLock { $0.change = wanted }
        Task.detached {
            var done = wanted
            do { done.count = try await self.change(wanted) ?? 0 } catch { done.error = "\(error)".plain }
            let starts = self.state.withLock { state in
                state.change = done
                state.isOutdated = true
                defer { state.isQuerying = true }
                return !state.isQuerying
            }
            if starts { await self.query() }
        }
    }
}

extension InspectorSnapshot.StoredObserver {
    fileprivate init(_ observer: StoredReport.Observer) {
        self.init(
            name: observer.name.plain, runsHere: observer.isRunningHere, backlog: observer.backlog,
            retried: observer.held, deadLetters: observer.deadLetters, oldest: observer.oldest.map { Double($0) / 1000 }
        )
    }
}

extension InspectorSnapshot.StoredEntry {
    fileprivate init?(_ entry: StoredReport.Entry) {
        guard let kind = InspectorSnapshot.StoredKind(rawValue: entry.kind.rawValue) else { return nil }
        self.init(
            kind: kind, observer: entry.observer?.plain, id: entry.id.plain,
            notification: entry.notification.plain, attempts: entry.attempts, error: entry.error?.plain,
            stored: Double(entry.storedAt) / 1000, due: entry.due.map { Double($0) / 1000 }, isHeld: entry.isHeld)
    }
}
