import Tidings

/// What an inspector remembers from one look to the next: when it saw an observer first, how numbers change, which observers have
/// ended, and what looked wrong.
struct Ledger: Sendable {
    private struct KnownObserver: Sendable {
        var row: InspectorSnapshot.Observer
        var waiting = Meter(), dropped = Meter()
        var progress = ObserverProgress()
        var group = 0
        var left = 0
        /// The number of the look that saw it last.
        var look = 0
    }

    private struct KnownType: Sendable {
        let name: String
        var posts = Meter(), deliveries = Meter(), drops = Meter()
    }

    /// An observer at one look.
    struct ObserverRow: Sendable {
        let id: ObserverDescription.ID
        let row: InspectorSnapshot.Observer
        /// The number of its group.
        let group: Int
        /// The type, as posts have it, and how many notifications have left the queue.
        let key: TypeKey
        let left: Int
    }

    /// What is seen of an observer at one look.
    private struct Seen {
        let observer: ObserverDescription
        let owner, sender: String?
        let waiting, dropped: Int
        let isRunning: Bool
        let calls: CallStatus
    }

    /// Everything at one look, before anything is left out.
    struct Picture: Sendable {
        /// When the look was, by the inspector's clock.
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

    /// For how many seconds an observer that goes on with nothing is not called stuck.
    private let stuckAfter: Double
    private var groups = GroupBook()
    private var observers: [ObserverDescription.ID: KnownObserver] = [:]
    private var types: [TypeKey: KnownType] = [:]
    private var totals = (posts: Meter(), deliveries: Meter(), drops: Meter())
    private var ended: [InspectorSnapshot.EndedObserver] = []
    /// Those of which it is noted that they have ended, the last ones; looks and monitors both tell.
    private var notedEnds: Set<ObserverDescription.ID> = []
    private var warnings = WarningBook()
    private var looks = 0

    /// - Parameters:
    ///   - subjects: What is inspected.
    ///   - start: When the inspector's clock was at zero, in seconds since the beginning of 1970.
    ///   - stuckAfter: For how many seconds an observer that goes on with nothing is not called stuck.
    init(_ subjects: [Inspected], start: Double, stuckAfter: Double) {
        self.subjects = subjects
        self.stuckAfter = stuckAfter
        self.start = start
    }

    /// Notes a look.
    ///
    /// - Parameters:
    ///   - sights: What was seen of each subject; `nil` for one that is gone.
    ///   - time: When, by the inspector's clock.
    ///   - measured: What was measured; `nil` in the tier that does not. Buses count nothing themselves.
    /// - Returns: The picture.
    mutating func note(_ sights: [Inspected.Sight?], at time: Double, _ measured: Measured?) -> Picture {
        looks += 1
        var picture = Picture()
        picture.time = time
        var queues: [TypeKey: (observers: Int, waiting: Int)] = [:]
        for (index, sight) in sights.enumerated() {
            guard let sight else { continue }
            for ended in sight.ended { noteEnd(ended.observer, "\(ended.reason)", in: index, at: time) }
            for status in sight.observations {
                let seen = Seen(
                    observer: status.observer, owner: status.owner, sender: status.sender, waiting: status.queued,
                    dropped: status.dropped, isRunning: status.isRunning, calls: status.calls)
                let row = note(seen, in: index, at: time, measured)
                picture.observers.append(row)
                queues[row.key, default: (0, 0)].observers += 1
                queues[row.key, default: (0, 0)].waiting += status.queued
            }
            for consumer in sight.consumers {
                let seen = Seen(
                    observer: consumer.observer, owner: consumer.owner, sender: nil, waiting: consumer.queued,
                    dropped: 0, isRunning: consumer.isRunning, calls: consumer.calls)
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
            for row in sight.statistics {
                let key = TypeKey(subject: index, type: row.subject)
                let queue = queues[key] ?? (0, 0)
                picture.types.append((key, note(row, queue, at: time, key)))
            }
            if let measured, let row = note(measured.counts[index], of: sight, in: index, at: time) {
                picture.types.append(row)
            }
        }
        noteVanished(at: time)
        noteGroups(&picture, at: time)
        // What is not told any more need not be known.
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
        // Taken out, as a copy would be made of what is changed.
        var known =
            observers.removeValue(forKey: id)
            ?? KnownObserver(
                row: InspectorSnapshot.Observer(seen.observer, in: subjects[subject].name, at: start + time))
        let before = known.look == 0 ? seen.dropped : known.row.dropped
        known.waiting.note(seen.waiting, at: time)
        known.dropped.note(seen.dropped, at: time)
        let isQueued = !seen.observer.delivery.isInPost
        known.progress.note(
            seen.calls, waiting: seen.waiting, isRunning: seen.isRunning, isQueued: isQueued,
            measured: measured.map { $0.observers[id]?.calls.sum ?? 0 }, at: time)
        if known.look == 0 {
            // Later ones are those of the same objects.
            known.row.owner = seen.owner?.plainName
            known.row.sender = seen.sender?.plainName
            known.group = groups.add(known.row)
        }
        known.look = looks
        known.left = seen.calls.left
        known.row.waiting = seen.waiting
        known.row.growth = known.waiting.rate
        known.row.dropped = seen.dropped
        known.row.droppedPerSecond = known.dropped.rate
        known.row.running = seen.isRunning
        known.row.runningFor = known.progress.runningFor
        known.row.oldestWait = known.progress.oldestWait
        known.row.isStuck = known.progress.isStuck(after: stuckAfter)
        known.row.calls = isQueued ? seen.calls.left : nil
        known.row.callsPerSecond = isQueued ? known.progress.callsPerSecond : nil
        known.row.busy = known.progress.busyShare
        observers[id] = known
        warnings.note(
            known.row, drops: seen.dropped - before, stalledFor: known.progress.stalledFor, at: start + time)
        return ObserverRow(
            id: id, row: known.row, group: known.group, key: TypeKey(subject: subject, type: seen.observer.subject),
            left: seen.calls.left)
    }

    /// Notes what the observers are together, and what only grows.
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
        _ row: NotificationStatistics.Row, _ queue: (observers: Int, waiting: Int), at time: Double, _ key: TypeKey
    ) -> InspectorSnapshot.NotificationType {
        var known = types[key] ?? KnownType(name: row.subject.name.plain)
        known.posts.note(row.posts, at: time)
        known.deliveries.note(row.deliveries, at: time)
        known.drops.note(row.drops, at: time)
        types[key] = known
        return InspectorSnapshot.NotificationType(
            name: known.name, center: subjects[key.subject].name, posts: row.posts, deliveries: row.deliveries,
            drops: row.drops, postsPerSecond: known.posts.rate, deliveriesPerSecond: known.deliveries.rate,
            dropsPerSecond: known.drops.rate, observers: queue.observers, waiting: queue.waiting)
    }

    /// The messages of a bus, as a type.
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

    /// How an observer stands, with how many notifications have left its queue.
    struct Standing {
        let row: InspectorSnapshot.Observer
        let left: Int
    }

    /// How an observer was seen last.
    func standing(_ observer: ObserverDescription.ID) -> Standing? {
        observers[observer].map { Standing(row: $0.row, left: $0.left) }
    }

    // MARK: What has ended, and what monitors tell

    /// Notes observers that are not listed any more.
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
        // A look may have missed it before, and could not say why.
        let known = observers[observer.id]?.row
        let row = known ?? InspectorSnapshot.Observer(observer, in: subjects[subject].name, at: start + time)
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

    /// Notes what was taken from the log: ends, warnings and failures.
    mutating func note(_ taken: EventLog.Taken) {
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
}

extension InspectorSnapshot.Observer {
    /// A row of what does not change.
    init(_ observer: ObserverDescription, in center: String, at time: Double) {
        let age = observer.registeredAt.map { $0.duration(to: .now).inSeconds }
        self.init(
            id: "\(observer.id)", center: center, type: observer.subject.name.plain, place: "\(observer.place)".plain,
            delivery: "\(observer.delivery)", since: age.map { time - $0 }, seen: time, waiting: 0, dropped: 0,
            running: false, isStuck: false)
    }
}
