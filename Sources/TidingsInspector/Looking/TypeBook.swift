import Tidings

struct TypeBook: Sendable {
    private struct Known: Sendable {
        let name: String
        var posts = Meter(), deliveries = Meter(), drops = Meter()
        var unobserved = 0
    }

    private let subjects: [Inspected]
    private let start: Double
    private var types: [TypeKey: Known] = [:]
    private var totals = (posts: Meter(), deliveries: Meter(), drops: Meter())

    init(_ subjects: [Inspected], start: Double) {
        self.subjects = subjects
        self.start = start
    }

    mutating func note(
        _ row: Inspected.Counts, _ queue: (observers: Int, waiting: Int), at time: Double, _ key: TypeKey,
        _ measured: Measured?, _ warnings: inout WarningBook
    ) -> InspectorSnapshot.NotificationType {
        var known = types[key] ?? Known(name: key.type.name.plainName)
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
            name: known.name, center: name, posts: row.posts, deliveries: row.deliveries, drops: row.drops,
            postsPerSecond: known.posts.rateOfCount, deliveriesPerSecond: known.deliveries.rateOfCount,
            dropsPerSecond: known.drops.rateOfCount, observers: queue.observers, waiting: queue.waiting,
            unobserved: measured == nil ? nil : type?.unobserved ?? 0, postedAt: type?.postedAt?.plain)
    }

    mutating func note(
        _ counts: EventLog.Counts, of sight: Inspected.Sight, in subject: Int, at time: Double
    ) -> (TypeKey, InspectorSnapshot.NotificationType)? {
        guard let messages = subjects[subject].messages, let type = subjects[subject].type else { return nil }
        let key = TypeKey(subject: subject, type: type)
        var known = types[key] ?? Known(name: messages)
        known.posts.note(counts.posts, at: time)
        known.deliveries.note(counts.deliveries, at: time)
        types[key] = known
        let row = InspectorSnapshot.NotificationType(
            name: messages, center: subjects[subject].name, posts: counts.posts, deliveries: counts.deliveries,
            drops: 0, postsPerSecond: known.posts.rateOfCount, deliveriesPerSecond: known.deliveries.rateOfCount,
            observers: sight.consumers.count, waiting: sight.consumers.reduce(0) { $0 + $1.queued })
        return (key, row)
    }

    mutating func sum(_ picture: inout Picture, at time: Double) {
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
        picture.totals.postsPerSecond = totals.posts.rateOfCount
        picture.totals.deliveriesPerSecond = totals.deliveries.rateOfCount
        picture.totals.dropsPerSecond = totals.drops.rateOfCount
    }
}
