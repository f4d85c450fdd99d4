import Tidings

/// The memory of an inspector between inspections: when it first saw an observer, how numbers change, which observers
/// have ended, and which warnings there are.
struct Ledger: Sendable {
    private struct KnownObserver: Sendable {
        var row: InspectorSnapshot.Observer
        var waiting = Meter(), dropped = Meter()
        var progress = ObserverProgress()
        var queue = Growth()
        var group = 0
        var left = 0
        /// The time of the first inspection of the observer, and the number of posts of its type at that time.
        var first = (time: 0.0, posts: 0)
        /// The longest call for which an outlier was reported.
        var outlier = 0.0
        /// The number of the last inspection that saw the observer.
        var look = 0
    }

    private struct KnownType: Sendable {
        let name: String
        var posts = Meter(), deliveries = Meter(), drops = Meter()
        /// The last reported number of posts that called no observer.
        var unobserved = 0
    }

    /// An observer at one inspection.
    struct ObserverRow: Sendable {
        let id: ObserverDescription.ID
        let row: InspectorSnapshot.Observer
        /// The number of its group.
        let group: Int
        /// The type as posts report it, and the number of notifications that have left the queue.
        let key: TypeKey
        let left: Int
    }

    /// The state of an observer at one inspection.
    private struct Seen {
        let observer: ObserverDescription
        let owner, sender: String?
        let waiting, dropped, failed, retrying: Int
        let isRunning: Bool
        let calls: CallStatus
        /// The number of posts of its type.
        var posts = 0
    }

    /// The complete result of one inspection, before rows are omitted.
    struct Picture: Sendable {
        /// The time of the inspection, by the inspector's clock.
        var time = -Double.infinity
        var totals = InspectorSnapshot.Totals(
            posts: 0, deliveries: 0, drops: 0, types: 0, observers: 0, waiting: 0, running: 0)
        var types: [(key: TypeKey, row: InspectorSnapshot.NotificationType)] = []
        var observers: [ObserverRow] = []
        var groups: [GroupBook.Known] = []
        var owners: [InspectorSnapshot.OwnerType] = []
        var stuck: [InspectorSnapshot.Observer] = []
        var buses: [InspectorSnapshot.Bus] = []
        var relays: [InspectorSnapshot.Relay]?
        var ended: [InspectorSnapshot.EndedObserver] = []
        var warnings: [InspectorSnapshot.Warning] = []
    }

    private static let mostEnded = 100
    private static let mostStuck = 100

    private let subjects: [Inspected]
    private let start: Double

    /// The number of seconds without progress after which an observer is stuck.
    private let stuckAfter: Double
    private var groups = GroupBook()
    private var observers: [ObserverDescription.ID: KnownObserver] = [:]
    private var types: [TypeKey: KnownType] = [:]
    private var totals = (posts: Meter(), deliveries: Meter(), drops: Meter())
    private var ended: [InspectorSnapshot.EndedObserver] = []
    /// The last observers whose end was recorded. Both inspections and monitors report ends.
    private var notedEnds: Set<ObserverDescription.ID> = []
    private var warnings = WarningBook()
    private var looks = 0
    /// The time at which the inspector's clock was at zero, by the clock of the registrations.
    private var origin = ContinuousClock.now

    private var isPoolBlocked = false

    /// The time since which the main actor has been busy nearly all of the time, or `nil` if it isn't.
    private var mainActorBusySince: Double?

    /// The thresholds of two warnings. An observer causes one if it isn't called during this number of posts and this
    /// time. The main actor causes one if calls keep it busy for this share of this time.
    private static let fewestUncalled = (posts: 10, seconds: 5.0)
    private static let busyMainActor = (seconds: 3.0, share: 0.9)

    /// - Parameters:
    ///   - subjects: The subjects.
    ///   - start: The zero of the inspector's clock, in seconds since 1970.
    ///   - stuckAfter: The number of seconds without progress after which an observer is stuck.
    init(_ subjects: [Inspected], start: Double, stuckAfter: Double) {
        self.subjects = subjects
        self.stuckAfter = stuckAfter
        self.start = start
    }

    /// Records an inspection.
    ///
    /// - Parameters:
    ///   - sights: The results for each subject; `nil` for a deallocated one.
    ///   - time: The time, by the inspector's clock.
    ///   - measured: The measurements, or `nil` in the tier without them. Buses count nothing themselves.
    ///   - blocked: The time for which the cooperative pool has been blocked, if it is.
    /// - Returns: The picture.
    mutating func note(
        _ sights: [Inspected.Sight?], at time: Double, _ measured: Measured?, poolBlockedFor blocked: Double? = nil
    ) -> Picture {
        looks += 1
        isPoolBlocked = blocked != nil
        var picture = Picture()
        picture.time = time
        var queues: [TypeKey: (observers: Int, waiting: Int)] = [:]
        for (index, sight) in sights.enumerated() {
            guard let sight else { continue }
            let rows = sight.rowsOfProgram
            let posts = rows.mapValues(\.posts)
            for ended in sight.ended { noteEnd(ended.observer, "\(ended.reason)", in: index, at: time) }
            for status in sight.observations {
                let seen = Seen(
                    observer: status.observer, owner: status.owner, sender: status.sender, waiting: status.queued,
                    dropped: status.dropped, failed: status.failed, retrying: status.retrying,
                    isRunning: status.isRunning, calls: status.calls,
                    posts: posts[status.observer.subject.ofProgram] ?? 0)
                let row = note(seen, in: index, at: time, measured)
                picture.observers.append(row)
                queues[row.key, default: (0, 0)].observers += 1
                queues[row.key, default: (0, 0)].waiting += status.queued
            }
            for consumer in sight.consumers {
                let seen = Seen(
                    observer: consumer.observer, owner: consumer.owner, sender: nil, waiting: consumer.queued,
                    dropped: 0, failed: consumer.failed, retrying: consumer.retrying, isRunning: consumer.isRunning,
                    calls: consumer.calls)
                picture.observers.append(note(seen, in: index, at: time, measured))
            }
            if let messages = subjects[index].messages {
                picture.buses.append(
                    InspectorSnapshot.Bus(
                        name: subjects[index].name, messages: messages, consumers: sight.consumers.count,
                        running: sight.consumers.count { $0.isRunning },
                        waiting: sight.consumers.reduce(0) { $0 + $1.queued }))
            }
            if let lag = sight.lag {
                picture.relays = (picture.relays ?? []) + [InspectorSnapshot.Relay(lag, named: subjects[index].name)]
            }
            for (subject, row) in rows.sorted(by: { $0.key.name < $1.key.name }) {
                let key = TypeKey(subject: index, type: subject)
                let queue = queues[key] ?? (0, 0)
                picture.types.append((key, note(row, queue, at: time, key, measured)))
            }
            if let measured, let row = note(measured.counts[index], of: sight, in: index, at: time) {
                picture.types.append(row)
            }
        }
        noteVanished(at: time)
        noteGroups(&picture, at: time)
        notePool(picture, blocked, at: time)
        noteMainActor(picture, at: time)
        if let measured {
            noteCycles(measured, picture, at: time)
        } else {
            warnings.recover(.postCycle, at: start + time)
        }
        // Ends that are no longer reported can be forgotten.
        if notedEnds.count > 20_000 {
            notedEnds = Set(sights.flatMap { $0?.ended ?? [] }.map(\.id))
        }
        sum(&picture, at: time)
        picture.ended = ended.reversed()
        picture.warnings = warnings.all(at: start + time)
        return picture
    }

    private mutating func note(_ seen: Seen, in subject: Int, at time: Double, _ measured: Measured?) -> ObserverRow {
        let id = seen.observer.id
        // The value is removed during the change, because a copy would be made otherwise.
        var known =
            observers.removeValue(forKey: id)
            ?? KnownObserver(
                row: row(of: seen.observer, in: subject, at: time))
        let before = known.look == 0 ? seen.dropped : known.row.dropped
        let failedBefore = known.row.failed ?? seen.failed
        known.waiting.note(seen.waiting, at: time)
        known.dropped.note(seen.dropped, at: time)
        let isQueued = !seen.observer.delivery.isInPost
        known.progress.note(
            seen.calls, waiting: seen.waiting, isRetrying: seen.retrying > 0, isRunning: seen.isRunning,
            isQueued: isQueued,
            measured: measured.map { $0.observers[id]?.calls.sum ?? 0 }, at: time)
        if known.look == 0 {
            // Later values describe the same objects. The sender of a durable observer is internal to the package.
            known.row.owner = seen.owner?.plainName
            known.row.name = seen.observer.givenName?.plain
            known.row.sender = known.row.name == nil ? seen.sender?.plainName : nil
            known.group = groups.add(known.row)
            known.first = (time, seen.posts)
        }
        known.look = looks
        known.left = seen.calls.left
        known.queue.add(seen.waiting - known.queue.count)
        known.queue.note(at: time)
        known.row.group = seen.observer.group?.plain
        known.row.waiting = seen.waiting
        known.row.growth = known.waiting.rate
        known.row.dropped = seen.dropped
        known.row.droppedPerSecond = known.dropped.rate
        known.row.intendsDrops = seen.observer.intendsDrops ? true : nil
        known.row.failed = isQueued ? seen.failed : nil
        known.row.retrying = isQueued ? seen.retrying : nil
        known.row.running = seen.isRunning
        known.row.runningFor = known.progress.runningFor
        known.row.oldestWait = known.progress.oldestWait
        known.row.isStuck = known.progress.isStuck(after: stuckAfter)
        known.row.calls = isQueued ? seen.calls.called : measured?.calls(of: id)
        known.row.callsPerSecond = isQueued ? known.progress.callsPerSecond : nil
        known.row.refused = measured?.trees == nil ? nil : measured?.observers[id]?.refused ?? 0
        known.row.busy = known.progress.busyShare
        var sight = WarningBook.Sight(drops: seen.dropped - before, stalledFor: known.progress.stalledFor)
        if known.queue.isGrowing { sight.growth = known.queue.grown }
        sight.uncalled = uncalled(known, seen, in: subject, measured, at: time)
        known.row.isNeverCalled = sight.uncalled == nil ? nil : true
        observers[id] = known
        warnings.note(known.row, sight, isPoolBlocked: isPoolBlocked, at: start + time)
        warnings.note(retriesOf: known.row, at: start + time)
        // In the tiers in which monitors receive errors, the monitors' events are the warnings.
        if measured == nil, seen.failed > failedBefore { warnings.note(failuresOf: known.row, at: start + time) }
        if let calls = measured?.observers[id]?.calls, let (longest, median) = calls.outlier, longest > known.outlier {
            observers[id]?.outlier = longest
            warnings.note(outlier: longest, median: median, of: calls.count, known.row, at: start + time)
        }
        return ObserverRow(
            id: id, row: known.row, group: known.group, key: TypeKey(subject: subject, type: seen.observer.subject),
            left: seen.calls.left)
    }

    /// Returns the number of posts that an observer has missed, and for how long, if it was never called. The result is
    /// `nil` if it was called, or if that isn't known.
    private func uncalled(
        _ known: KnownObserver, _ seen: Seen, in subject: Int, _ measured: Measured?, at time: Double
    ) -> (posts: Int, time: Double)? {
        let since = time - known.first.time
        guard known.row.calls == 0, seen.waiting == 0, seen.retrying == 0, seen.dropped == 0, !seen.isRunning,
            since >= Self.fewestUncalled.seconds
        else { return nil }
        // For an observer in the post, only measured posts count.
        let posts =
            seen.observer.delivery.isInPost
            ? measured?.types[TypeKey(subject: subject, type: seen.observer.subject)]?.posts.count ?? 0
            : seen.posts - known.first.posts
        return posts >= Self.fewestUncalled.posts ? (posts, since) : nil
    }

    /// Records the observers by group, and the groups that only grow.
    private mutating func noteGroups(_ picture: inout Picture, at time: Double) {
        groups.note(picture.observers, at: time)
        picture.groups = groups.groups.values.sorted { $0.number < $1.number }
        picture.owners = groups.ownerTypes
        let stuck = picture.observers.lazy.map(\.row).filter(\.isStuck)
        picture.stuck = Array(
            stuck.sorted { ($0.runningFor ?? $0.oldestWait ?? 0) > ($1.runningFor ?? $1.oldestWait ?? 0) }
                .prefix(Self.mostStuck))
        warnings.note(groups.leaks, at: start + time)
    }

    private mutating func note(
        _ row: Inspected.Counts, _ queue: (observers: Int, waiting: Int), at time: Double, _ key: TypeKey,
        _ measured: Measured?
    ) -> InspectorSnapshot.NotificationType {
        var known = types[key] ?? KnownType(name: key.type.name.plainName)
        known.posts.note(row.posts, at: time)
        known.deliveries.note(row.deliveries, at: time)
        known.drops.note(row.drops, at: time)
        let name = subjects[key.subject].name
        let type = measured?.types[key]
        let before = known.unobserved
        known.unobserved = type?.unobserved ?? 0
        types[key] = known
        if let type, type.unobserved > before, queue.observers == 0 {
            let times = type.unobserved == 1 ? "once" : "\(type.unobserved) times"
            let place = type.unobservedAt?.plain
            let at = place.map { ", most recently at \($0)" } ?? ""
            let text = "\(known.name) was posted \(times) while it had no observers\(at)"
            warnings.note(
                .unobserved, about: "\(key.subject) \(known.name)", text, in: name, place: place, at: start + time)
        }
        return InspectorSnapshot.NotificationType(
            name: known.name, center: name, posts: row.posts, deliveries: row.deliveries,
            drops: row.drops, postsPerSecond: known.posts.rate, deliveriesPerSecond: known.deliveries.rate,
            dropsPerSecond: known.drops.rate, observers: queue.observers, waiting: queue.waiting,
            unobserved: measured == nil ? nil : type?.unobserved ?? 0, postedAt: type?.postedAt?.plain)
    }

    // MARK: Conditions without a single observer

    /// Records whether the cooperative pool is blocked, with the calls that run in it.
    private mutating func notePool(_ picture: Picture, _ blocked: Double?, at time: Double) {
        guard let blocked else { return warnings.note(.blockedPool, nil, at: start + time) }
        let running = picture.observers.map(\.row).filter { row in
            row.running && [DeliveryMode.actor, .task].map { "\($0)" }.contains(row.delivery)
        }
        .sorted { $0.runningFor ?? 0 > $1.runningFor ?? 0 }
        let waiting = picture.observers.count { $0.row.waiting > 0 && !$0.row.running }
        let waits = waiting == 1 ? "1 observer waits for it" : "\(waiting) observers wait for it"
        let who =
            running.isEmpty
            ? "no observer is running in it, so other tasks occupy it"
            : "calls that run in it: " + running.prefix(4).map { "\($0.type) at \($0.place)" }.joined(separator: ", ")
        let text = "the cooperative thread pool has started no work for \(blocked.roundedSeconds), and \(waits); \(who)"
        warnings.note(
            .blockedPool, text, in: running.first?.center ?? "", observer: running.first?.id,
            place: running.first?.place, at: start + time)
    }

    /// Records whether calls keep the main actor busy, with their observers.
    private mutating func noteMainActor(_ picture: Picture, at time: Double) {
        let rows = picture.observers.map(\.row).filter { row in
            [DeliveryMode.mainActor, .inPostOnMainActor].map { "\($0)" }.contains(row.delivery) && row.busy ?? 0 > 0.01
        }
        let share = rows.reduce(0) { $0 + ($1.busy ?? 0) }
        guard share >= Self.busyMainActor.share else {
            mainActorBusySince = nil
            return warnings.note(.busyMainActor, nil, at: start + time)
        }
        let since = mainActorBusySince ?? time
        mainActorBusySince = since
        if time - since < Self.busyMainActor.seconds { return }
        let busiest = rows.sorted { $0.busy ?? 0 > $1.busy ?? 0 }
        let who = busiest.prefix(4).map { row in
            "\(row.type) at \(row.place) (\(Int((100 * (row.busy ?? 0)).rounded())) %)"
        }
        let text =
            "calls of observers have kept the main actor busy for \((time - since).roundedSeconds): "
            + who.joined(separator: ", ")
        warnings.note(
            .busyMainActor, text, in: busiest[0].center, observer: busiest[0].id, place: busiest[0].place,
            at: start + time)
    }

    /// Records the posts that cause themselves again.
    private mutating func noteCycles(_ measured: Measured, _ picture: Picture, at time: Double) {
        for cycle in measured.cycles.cycles.values {
            let steps = cycle.steps
            let about = steps.map { "\($0.type.name) \($0.place.map { "\($0)" } ?? "")" }.sorted().joined(
                separator: " ")
            guard time - cycle.last < 3, let first = steps.first else {
                warnings.note(.postCycle, about: about, nil, at: start + time)
                continue
            }
            let key = TypeKey(subject: first.subject, type: first.type)
            let rate = picture.types.first { $0.key == key }?.row.postsPerSecond
            let rates = rate.map { ", \($0.roundedCount) times a second" } ?? ""
            let places = steps.compactMap { $0.place?.plain }
            let names = (steps + [first]).map { $0.type.name.plainName }.joined(separator: " causes ")
            let text =
                "posts cause each other in a cycle: \(names)\(rates), posted at \(places.joined(separator: " and "))"
            warnings.note(
                .postCycle, about: about, text, in: subjects[first.subject].name, place: places.first, at: start + time)
        }
    }

    /// Returns the messages of a bus as a type.
    private mutating func note(
        _ counts: EventLog.Counts, of sight: Inspected.Sight, in subject: Int, at time: Double
    ) -> (TypeKey, InspectorSnapshot.NotificationType)? {
        guard let messages = subjects[subject].messages, let type = subjects[subject].type else { return nil }
        let key = TypeKey(subject: subject, type: type)
        var known = types[key] ?? KnownType(name: messages)
        known.posts.note(counts.posts, at: time)
        known.deliveries.note(counts.deliveries, at: time)
        types[key] = known
        let row = InspectorSnapshot.NotificationType(
            name: messages, center: subjects[subject].name, posts: counts.posts, deliveries: counts.deliveries,
            drops: 0, postsPerSecond: known.posts.rate, deliveriesPerSecond: known.deliveries.rate,
            observers: sight.consumers.count, waiting: sight.consumers.reduce(0) { $0 + $1.queued })
        return (key, row)
    }

    private mutating func sum(_ picture: inout Picture, at time: Double) {
        for (_, row) in picture.types {
            picture.totals.posts += row.posts
            picture.totals.deliveries += row.deliveries
            picture.totals.drops += row.drops
        }
        for row in picture.observers.map(\.row) {
            picture.totals.waiting += row.waiting
            picture.totals.running += row.running ? 1 : 0
        }
        picture.totals.types = picture.types.count
        picture.totals.observers = picture.observers.count
        totals.posts.note(picture.totals.posts, at: time)
        totals.deliveries.note(picture.totals.deliveries, at: time)
        totals.drops.note(picture.totals.drops, at: time)
        picture.totals.postsPerSecond = totals.posts.rate
        picture.totals.deliveriesPerSecond = totals.deliveries.rate
        picture.totals.dropsPerSecond = totals.drops.rate
    }

    /// The state of an observer, with the number of notifications that have left its queue.
    struct Standing {
        let row: InspectorSnapshot.Observer
        let left: Int
    }

    /// Returns the last known state of an observer.
    func standing(_ observer: ObserverDescription.ID) -> Standing? {
        observers[observer].map { Standing(row: $0.row, left: $0.left) }
    }

    // MARK: Ends, and events of monitors

    /// Records the end of observers that are no longer listed.
    private mutating func noteVanished(at time: Double) {
        for (id, known) in observers where known.look != looks {
            observers[id] = nil
            groups.remove(known.row, from: known.group)
            warnings.noteEnd(of: known.row.id, at: start + time)
            if notedEnds.contains(id) { continue }
            addEnd(known.row, nil, at: time)
        }
    }

    private mutating func noteEnd(_ observer: ObserverDescription, _ reason: String, in subject: Int, at time: Double) {
        if notedEnds.contains(observer.id) { return }
        notedEnds.insert(observer.id)
        // An earlier inspection may have found that the observer was gone, without knowing the reason.
        let known = observers[observer.id]?.row
        let row = known ?? self.row(of: observer, in: subject, at: time)
        if let index = ended.firstIndex(where: { $0.id == row.id }) {
            ended[index].reason = reason
        } else {
            addEnd(row, reason, at: time)
        }
    }

    private mutating func addEnd(_ row: InspectorSnapshot.Observer, _ reason: String?, at time: Double) {
        if ended.count >= Self.mostEnded { ended.removeFirst() }
        ended.append(
            InspectorSnapshot.EndedObserver(
                id: row.id, center: row.center, type: row.type, place: row.place, delivery: row.delivery,
                sender: row.sender, reason: reason,
                time: start + time))
    }

    /// Records entries of the log: ends, warnings and failures.
    ///
    /// - Parameters:
    ///   - taken: The events.
    ///   - origin: The time at which the inspector's clock was at zero.
    mutating func note(_ taken: EventLog.Taken, origin: ContinuousClock.Instant) {
        self.origin = origin
        for entry in taken.entries {
            let subject = Int(entry.subject)
            let name = subjects[subject].name
            switch entry.event {
            case .ended(let observer, let reason): noteEnd(observer, "\(reason)", in: subject, at: entry.time)
            case .warning(let warning): warnings.note(warning, in: name, at: start + entry.time)
            case .failed(let text, let observer):
                warnings.note(failure: text, of: observer, in: name, at: start + entry.time)
            case .posted, .delivered, .payload, .refused, .waits: break
            }
        }
    }

    /// Creates a row with the properties that don't change.
    ///
    /// The time of the registration is converted without reading a clock again. If the age were read after `time`, and
    /// the thread were preempted in between, the registration would move back, before posts that preceded it.
    private func row(of observer: ObserverDescription, in subject: Int, at time: Double) -> InspectorSnapshot.Observer {
        InspectorSnapshot.Observer(
            id: "\(observer.id)", center: subjects[subject].name, type: observer.subject.name.plainName,
            place: "\(observer.place)".plain, delivery: "\(observer.delivery)",
            since: observer.registeredAt.map { start + origin.duration(to: $0).inSeconds }, seen: start + time,
            waiting: 0, dropped: 0, running: false, isStuck: false)
    }
}
