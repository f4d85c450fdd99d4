import Tidings

struct Ledger: Sendable {
    private static let mostStuck = 100

    private let subjects: [Inspected]
    private let start: Double
    private(set) var observers: ObserverBook
    private var groups = GroupBook()
    private var types: TypeBook
    private var ends: EndBook
    private var conditions: ConditionBook
    private var warnings = WarningBook()

    init(_ subjects: [Inspected], start: Double, stuckAfter: Double) {
        self.subjects = subjects
        self.start = start
        observers = ObserverBook(subjects, start: start, stuckAfter: stuckAfter)
        types = TypeBook(subjects, start: start)
        ends = EndBook(start: start)
        conditions = ConditionBook(subjects, start: start)
    }

    /// Records an inspection. `sights` contains what each subject reported, or `nil` for a deallocated subject.
    mutating func note(
        _ sights: [Inspected.Sight?], at time: Double, _ measured: Measured?, poolBlockedFor blocked: Double? = nil
    ) -> Picture {
        observers.beginInspection()
        var picture = Picture()
        picture.time = time
        for (index, sight) in sights.enumerated() {
            if let sight { note(sight, of: index, at: time, measured, isPoolBlocked: blocked != nil, in: &picture) }
        }
        for vanished in observers.takeVanished() {
            groups.remove(vanished.row, from: vanished.group)
            warnings.noteEnd(of: vanished.row.id, at: start + time)
            ends.note(vanished: vanished.id, vanished.row, at: time)
        }
        noteGroups(&picture, at: time)
        conditions.note(picture, measured, poolBlockedFor: blocked, at: time, &warnings)
        ends.forget { sights.flatMap { $0?.ended ?? [] }.map(\.id) }
        types.sum(&picture, at: time)
        picture.ended = ends.ended.reversed()
        picture.warnings = warnings.all(at: start + time)
        return picture
    }

    private mutating func note(
        _ sight: Inspected.Sight, of index: Int, at time: Double, _ measured: Measured?, isPoolBlocked: Bool,
        in picture: inout Picture
    ) {
        let rows = sight.rowsOfProgram
        var queues: [NotificationSubject: (observers: Int, waiting: Int)] = [:]
        for ended in sight.ended { noteEnd(ended.observer, "\(ended.reason)", in: index, at: time) }
        for status in sight.observations {
            let posts = rows[status.observer.subject.ofProgram]?.posts ?? 0
            let row = observers.note(
                status, posts: posts, in: index, at: time, measured, isPoolBlocked: isPoolBlocked, &groups, &warnings)
            picture.observers.append(row)
            queues[row.key.type, default: (0, 0)].observers += 1
            queues[row.key.type, default: (0, 0)].waiting += status.queued
        }
        for consumer in sight.consumers {
            let row = observers.note(
                consumer, posts: 0, in: index, at: time, measured, isPoolBlocked: isPoolBlocked, &groups, &warnings)
            picture.observers.append(row)
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
            let queue = queues[key.type] ?? (0, 0)
            picture.types.append((key, types.note(row, queue, at: time, key, measured, &warnings)))
        }
        if let measured, let row = types.note(measured.counts[index], of: sight, in: index, at: time) {
            picture.types.append(row)
        }
    }

    private mutating func noteGroups(_ picture: inout Picture, at time: Double) {
        groups.note(picture.observers, at: time)
        picture.groups = groups.groups.values.sorted { $0.number < $1.number }
        picture.owners = groups.ownerTypes
        let stuck = picture.observers.filter(\.row.isStuck).map(\.row)
        picture.stuck = Array(stuck.sorted { $0.stuckFor ?? 0 > $1.stuckFor ?? 0 }.prefix(Self.mostStuck))
        warnings.note(groups.leaks, at: start + time)
    }

    private mutating func noteEnd(_ observer: ObserverDescription, _ reason: String, in subject: Int, at time: Double) {
        if ends.hasNoted(observer.id) { return }
        ends.note(observer.id, reason, observers.row(of: observer, in: subject, at: time), at: time)
    }

    mutating func note(_ taken: EventLog.Taken, origin: ContinuousClock.Instant) {
        observers.origin = origin
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
