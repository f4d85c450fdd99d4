import Tidings

struct WarningBook: Sendable {
    private typealias Kind = InspectorSnapshot.Warning.Kind

    private struct Key: Hashable {
        let kind: InspectorSnapshot.Warning.Kind
        let about: String
    }

    private static let most = 100
    private static let longQueue = WarningThresholds().waiting ?? 1000
    private static let calmAfterDrops = 3.0
    private static let calmAfterEvent = 30.0

    private var warnings: [Key: InspectorSnapshot.Warning] = [:]
    private var last: [Key: Double] = [:]
    private var number = 0

    struct Sight {
        var drops = 0
        var stalledFor: Double?
        var growth: (count: Int, time: Double)?
        /// For an observer that is reported as never called, the posts and seconds since it was first seen. For an
        /// observer that runs in the post, only those since the measurement began.
        var uncalled: (posts: Int, time: Double)?
    }

    mutating func note(_ observer: InspectorSnapshot.Observer, _ sight: Sight, isPoolBlocked: Bool, at time: Double) {
        var words: String { observer.words }
        let stuck = Key(kind: .stuck, about: observer.id)
        if observer.isStuck, observer.running || !isPoolBlocked {
            let duration = (observer.runningFor ?? sight.stalledFor ?? 0).roundedSeconds
            let what =
                observer.running
                ? "a call of an observer has been running for \(duration)\(observer.markWords)"
                : "an observer has handled nothing for \(duration), and \(observer.waiting.waitingNotifications)"
            give(stuck, "\(what): \(words)", observer, at: time)
        } else {
            recover(stuck, at: time)
        }
        let queue = Key(kind: .longQueue, about: observer.id)
        if observer.waiting > Self.longQueue {
            give(queue, "\(observer.waiting.waitingNotifications) for an observer: \(words)", observer, at: time)
        } else if observer.waiting <= Self.longQueue / 2 {
            recover(queue, at: time)
        }
        let growing = Key(kind: .growingQueue, about: observer.id)
        if let (count, duration) = sight.growth, observer.waiting <= Self.longQueue, !observer.isStuck {
            let text = "the queue of an observer has grown by \(count) in \(duration.roundedSeconds), and "
            give(growing, text + "\(observer.waiting.waitingNotifications): \(words)", observer, at: time)
        } else {
            recover(growing, at: time)
        }
        if sight.drops > 0, observer.intendsDrops != true {
            let are = observer.dropped == 1 ? "1 notification was" : "\(observer.dropped) notifications were"
            give(Key(kind: .drops, about: observer.id), "\(are) dropped: \(words)", observer, at: time)
        }
        let uncalled = Key(kind: .neverCalled, about: observer.id)
        if let (posts, duration) = sight.uncalled {
            let limit = observer.sender.map { "it is limited to the sender \($0)" } ?? "its condition rejects the posts"
            let text =
                "an observer was never called in \(duration.roundedSeconds), although its type was posted "
                + "\(posts) times; \(limit): \(words)"
            give(uncalled, text, observer, at: time)
        } else {
            recover(uncalled, at: time)
        }
    }

    mutating func note(retriesOf observer: InspectorSnapshot.Observer, at time: Double) {
        let key = Key(kind: .retries, about: observer.id)
        guard let waiting = observer.retrying, waiting > 0 else { return recover(key, at: time) }
        let text = "an observer threw errors, and \(waiting.waitingNotifications) for the next attempt: "
        give(key, text + observer.words, observer, at: time)
    }

    mutating func note(failuresOf observer: InspectorSnapshot.Observer, at time: Double) {
        let count = observer.failed ?? 0
        let what = count == 1 ? "1 notification" : "\(count) notifications"
        let text = "an observer threw errors, and \(what) will not be delivered to it again: "
        give(Key(kind: .failure, about: observer.id), text + observer.words, observer, at: time)
    }

    mutating func note(
        outlier longest: Double, median: Double, of count: Int, _ observer: InspectorSnapshot.Observer, at time: Double
    ) {
        let text =
            "a call of an observer took \(longest.roundedDuration), and half of \(count) calls took no more than "
            + "\(median.roundedDuration): \(observer.words)"
        give(Key(kind: .outlier, about: observer.id), text, observer, at: time)
    }

    /// Gives a warning, or ends it if `text` is `nil`. `about` distinguishes warnings of the same kind.
    mutating func note(
        _ kind: InspectorSnapshot.Warning.Kind, about: String = "", _ text: String?, in center: String = "",
        observer: String? = nil, place: String? = nil, at time: Double
    ) {
        let key = Key(kind: kind, about: about)
        if let text { give(key, text.plain, center, observer, place, at: time) } else { recover(key, at: time) }
    }

    /// Gives a warning for each leak, and ends the warnings about all other groups and types of owners.
    mutating func note(_ leaks: (groups: [GroupBook.Leak], owners: [GroupBook.Leak]), at time: Double) {
        for (kind, leaks) in [
            (InspectorSnapshot.Warning.Kind.growingObservers, leaks.groups), (.growingOwners, leaks.owners),
        ] {
            recover(kind, except: Set(leaks.map(\.id)), at: time)
            for leak in leaks {
                note(kind, about: leak.id, leak.text, in: leak.center, place: leak.place, at: time)
                if kind == .growingObservers { warnings[Key(kind: kind, about: leak.id)]?.group = leak.id }
            }
        }
    }

    mutating func noteEnd(of observer: String, at time: Double) {
        for kind in [Kind.stuck, .longQueue, .drops, .growingQueue, .neverCalled, .retries, .outlier] {
            recover(Key(kind: kind, about: observer), at: time)
        }
    }

    mutating func note(_ warning: ObserverWarning, in center: String, at time: Double) {
        let kind: InspectorSnapshot.Warning.Kind
        switch warning {
        case .reachedNobody: kind = .reachedNobody
        case .slowOnMainActor: kind = .slowOnMainActor
        case .lastingOwner: kind = .lastingOwner
        case .registeredAgain: kind = .registeredAgain
        default: return
        }
        let id = "\(warning.observer.id)"
        // The duration is rounded here. The warning's own description contains it in full precision.
        let text =
            if case .slowOnMainActor(let observer, let duration) = warning {
                "an observer took \(duration.inSeconds.roundedDuration) on the main actor: \(observer)"
            } else {
                warning.description
            }
        give(Key(kind: kind, about: id), text.plain, center, id, warning.observer.place.plain, at: time)
    }

    mutating func note(failure text: String, of observer: ObserverDescription?, in center: String, at time: Double) {
        let id = observer.map { "\($0.id)" }
        give(Key(kind: .failure, about: id ?? text), text, center, id, observer?.place.plain, at: time)
    }

    private mutating func give(_ key: Key, _ text: String, _ observer: InspectorSnapshot.Observer, at time: Double) {
        give(key, text.plain, observer.center, observer.id, observer.place, at: time)
    }

    private mutating func give(
        _ key: Key, _ text: String, _ center: String, _ observer: String?, _ place: String?, at time: Double
    ) {
        last[key] = time
        let isLiving = warnings[key].map { $0.recovered == nil } ?? false
        if isLiving {
            warnings[key]?.text = text
            warnings[key]?.observer = observer
            warnings[key]?.place = place
            if !key.kind.isState { warnings[key]?.count += 1 }
            return
        }
        if warnings[key] == nil, warnings.count >= Self.most { forgetOne() }
        number += 1
        warnings[key] = InspectorSnapshot.Warning(
            id: number, kind: key.kind, severity: key.kind.severity, text: text, center: center, observer: observer,
            place: place, since: time,
            count: (warnings[key]?.count ?? 0) + 1)
    }

    mutating func recover(_ kind: InspectorSnapshot.Warning.Kind, except found: Set<String> = [], at time: Double) {
        for key in warnings.keys where key.kind == kind && !found.contains(key.about) { recover(key, at: time) }
    }

    private mutating func recover(_ key: Key, at time: Double) {
        if let warning = warnings[key], warning.recovered == nil { warnings[key]?.recovered = time }
    }

    private mutating func forgetOne() {
        let oldest = warnings.min { lhs, rhs in
            let (left, right) = (lhs.value.recovered == nil, rhs.value.recovered == nil)
            return left == right ? lhs.value.id < rhs.value.id : right
        }
        guard let oldest else { return }
        warnings[oldest.key] = nil
        last[oldest.key] = nil
    }

    mutating func all(at time: Double) -> [InspectorSnapshot.Warning] {
        for (key, warning) in warnings where warning.recovered == nil && !key.kind.isState {
            let calm = key.kind == .drops ? Self.calmAfterDrops : Self.calmAfterEvent
            if time - (last[key] ?? time) >= calm { recover(key, at: time) }
        }
        return warnings.values.sorted { lhs, rhs in
            let (left, right) = (lhs.recovered == nil, rhs.recovered == nil)
            if left != right { return left }
            let ranks = (lhs.kind.severity.rank, rhs.kind.severity.rank)
            return ranks.0 == ranks.1 || !left ? lhs.id > rhs.id : ranks.0 < ranks.1
        }
    }
}

extension InspectorSnapshot.Observer {
    var markWords: String {
        guard let mark else { return "" }
        return ", the last \((markedFor ?? 0).roundedSeconds) at \"\(mark)\"\(markedAt.map { " (\($0))" } ?? "")"
    }

    var words: String {
        let known = name.map { ", named \"\($0)\"" } ?? ""
        return "\(type), \(delivery), registered at \(place)\(known)"
    }
}

extension InspectorSnapshot.Warning.Kind {
    /// Whether a warning of this kind is about a lasting condition. Such a warning ends when an inspection no longer
    /// finds the condition. Other warnings are about events.
    fileprivate var isState: Bool {
        switch self {
        case .longQueue, .stuck, .growingObservers, .growingOwners, .growingQueue, .neverCalled, .blockedPool,
            .busyMainActor, .postCycle, .retries:
            true
        default: false
        }
    }
}
