import Tidings

struct ObserverBook: Sendable {
    fileprivate struct Known: Sendable {
        var row: InspectorSnapshot.Observer
        var waiting = Meter(), dropped = Meter()
        var progress = ObserverProgress()
        var queue = Growth()
        var group = 0
        var calls = CallStatus()
        /// The time of the first inspection that saw the observer, and the number of posts of its type at that time.
        /// For an observer that runs in the post, at the earliest the beginning of the measurement.
        var first = (time: 0.0, posts: 0)
        /// The duration of the longest call that was reported as an outlier.
        var outlier = 0.0
        /// The number of the last inspection that saw the observer.
        var look = 0
    }

    /// A warning is given if an observer wasn't called during at least this many posts and this many seconds.
    private static let fewestUncalled = (posts: 10, seconds: 5.0)

    private let subjects: [Inspected]
    private let start: Double
    private let stuckAfter: Double
    private var observers: [ObserverDescription.ID: Known] = [:]
    private var looks = 0
    /// The instant at which the inspector was created, on the clock of `ObserverDescription.registeredAt`.
    var origin = ContinuousClock.now

    init(_ subjects: [Inspected], start: Double, stuckAfter: Double) {
        self.subjects = subjects
        self.start = start
        self.stuckAfter = stuckAfter
    }

    mutating func beginInspection() { looks += 1 }

    mutating func note(
        _ seen: ObservationStatus, posts: Int, in subject: Int, at time: Double, _ measured: Measured?,
        isPoolBlocked: Bool, _ groups: inout GroupBook, _ warnings: inout WarningBook
    ) -> ObserverRow {
        let id = seen.observer.id
        let key = TypeKey(subject: subject, type: seen.observer.subject)
        let isInPost = seen.observer.delivery.isInPost
        // For an observer that runs in the post, only measured calls are known, so only measured posts count.
        let posts = isInPost ? measured?.types[key]?.posts.count ?? 0 : posts
        // The value is removed from `observers` while it changes, so that changing its collections doesn't copy them.
        var known = observers.removeValue(forKey: id) ?? Known(row: row(of: seen.observer, in: subject, at: time))
        let before = (
            dropped: known.look == 0 ? seen.dropped : known.row.dropped, failed: known.row.failed ?? seen.failed
        )
        if known.look == 0 {
            // These values never change. The sender of a durable observer is omitted, because it is internal.
            known.row.owner = seen.owner?.plainName
            known.row.name = seen.observer.givenName?.plain
            known.row.sender = known.row.name == nil ? seen.sender?.plainName : nil
            known.group = groups.add(known.row)
            known.first = (time, posts)
        }
        if isInPost, let measured, measured.began > known.first.time { known.first = (measured.began, 0) }
        known.look = looks
        known.note(seen, measured, stuckAfter: stuckAfter, at: time)
        var sight = WarningBook.Sight(drops: seen.dropped - before.dropped, stalledFor: known.progress.stalledFor)
        if known.queue.isGrowing { sight.growth = known.queue.grown }
        sight.uncalled = uncalled(known, seen, posts, at: time)
        known.row.isNeverCalled = sight.uncalled == nil ? nil : true
        warnings.note(known.row, sight, isPoolBlocked: isPoolBlocked, at: start + time)
        warnings.note(retriesOf: known.row, at: start + time)
        if measured == nil, seen.failed > before.failed { warnings.note(failuresOf: known.row, at: start + time) }
        if let calls = measured?.observers[id]?.calls, let (longest, median) = calls.outlier, longest > known.outlier {
            known.outlier = longest
            warnings.note(outlier: longest, median: median, of: calls.count, known.row, at: start + time)
        }
        observers[id] = known
        return ObserverRow(
            id: id, row: known.row, group: known.group, key: key)
    }

    /// Returns the posts and seconds without a call; `nil` after a call, or if either is below `fewestUncalled`.
    private func uncalled(
        _ known: Known, _ seen: ObservationStatus, _ posts: Int, at time: Double
    ) -> (posts: Int, time: Double)? {
        let since = time - known.first.time
        guard known.row.calls == 0, seen.queued == 0, seen.retrying == 0, seen.dropped == 0, !seen.isRunning,
            since >= Self.fewestUncalled.seconds
        else { return nil }
        let posts = posts - known.first.posts
        return posts >= Self.fewestUncalled.posts ? (posts, since) : nil
    }

    mutating func takeVanished() -> [(id: ObserverDescription.ID, row: InspectorSnapshot.Observer, group: Int)] {
        let vanished = observers.filter { $0.value.look != looks }
        for id in vanished.keys { observers[id] = nil }
        return vanished.map { ($0.key, $0.value.row, $0.value.group) }
    }

    struct Standing {
        let row: InspectorSnapshot.Observer
        let calls: CallStatus

        /// The number of notifications that are no longer queued, including those that wait for a retry.
        var left: Int { calls.left + (row.retrying ?? 0) }
    }

    func standing(_ observer: ObserverDescription.ID) -> Standing? {
        observers[observer].map { Standing(row: $0.row, calls: $0.calls) }
    }

    func row(of observer: ObserverDescription, in subject: Int, at time: Double) -> InspectorSnapshot.Observer {
        // `registeredAt` is converted with `origin`. A conversion with two clock readings would be inexact, because the
        // thread can be preempted between the readings.
        observers[observer.id]?.row
            ?? InspectorSnapshot.Observer(
                id: "\(observer.id)", center: subjects[subject].name, type: observer.subject.name.plainName,
                place: "\(observer.place)".plain, delivery: "\(observer.delivery)",
                since: observer.registeredAt.map { start + origin.duration(to: $0).inSeconds }, seen: start + time,
                waiting: 0, dropped: 0, running: false, isStuck: false)
    }
}

extension ObserverBook.Known {
    fileprivate mutating func note(
        _ seen: ObservationStatus, _ measured: Measured?, stuckAfter: Double, at time: Double
    ) {
        let id = seen.observer.id
        let isQueued = !seen.observer.delivery.isInPost
        waiting.note(seen.queued, at: time)
        dropped.note(seen.dropped, at: time)
        progress.note(
            seen.calls, waiting: seen.queued, isRetrying: seen.retrying > 0, isRunning: seen.isRunning,
            isQueued: isQueued, measured: measured.map { $0.observers[id]?.calls.sum ?? 0 }, at: time)
        calls = seen.calls
        queue.add(seen.queued - queue.count)
        queue.note(at: time)
        row.group = seen.observer.group?.plain
        row.waiting = seen.queued
        row.growth = waiting.rate
        row.dropped = seen.dropped
        row.droppedPerSecond = dropped.rate
        row.intendsDrops = seen.observer.intendsDrops ? true : nil
        row.failed = isQueued ? seen.failed : nil
        row.retrying = isQueued ? seen.retrying : nil
        row.running = seen.isRunning
        row.runningFor = progress.runningFor
        row.mark = seen.calls.mark?.name.plain
        row.markedAt = seen.calls.mark.map { "\($0.place)".plain }
        row.markedFor = seen.calls.mark?.age.inSeconds
        row.oldestWait = progress.oldestWait
        row.isStuck = progress.stuckFor >= stuckAfter
        row.stuckFor = row.isStuck ? progress.stuckFor : nil
        row.calls = isQueued ? seen.calls.called : measured?.calls(of: id)
        row.callsPerSecond = isQueued ? progress.callsPerSecond : nil
        row.refused = measured?.trees == nil ? nil : measured?.refusals(by: id)
        row.busy = progress.busyShare
    }
}
