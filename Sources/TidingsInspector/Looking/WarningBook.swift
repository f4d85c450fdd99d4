import Tidings

/// What looks wrong, or did: noted from looks at queues and drops, and from what monitors are told.
struct WarningBook: Sendable {
    /// What one warning stands for; given again, it is counted.
    private struct Key: Hashable {
        let kind: InspectorSnapshot.Warning.Kind
        let about: String
    }

    private static let most = 100

    /// How many notifications wait where a queue is long, as a monitor is warned.
    private static let longQueue = WarningThresholds().waiting ?? 1000

    /// How long nothing has to be dropped, and how long what is told once must not be told again, until all is in order.
    private static let calmAfterDrops = 3.0
    private static let calmAfterEvent = 30.0

    private var warnings: [Key: InspectorSnapshot.Warning] = [:]
    private var last: [Key: Double] = [:]
    private var number = 0

    /// Notes how an observer stands at a look.
    ///
    /// - Parameters:
    ///   - observer: The observer.
    ///   - drops: How many it has dropped since the look before.
    ///   - stalled: For how long it has taken nothing though something waits; `nil` if that is not so.
    ///   - time: The time.
    mutating func note(_ observer: InspectorSnapshot.Observer, drops: Int, stalledFor stalled: Double?, at time: Double)
    {
        let stuck = Key(kind: .stuck, about: observer.id)
        if observer.isStuck {
            let duration = (observer.runningFor ?? stalled ?? 0).roundedSeconds
            let what =
                observer.running
                ? "a call of an observer is running for \(duration)"
                : "an observer has taken nothing for \(duration), and \(observer.waiting) notifications wait"
            let text = "\(what): \(observer.type), \(observer.delivery), registered at \(observer.place)"
            give(stuck, text, observer, at: time)
        } else if !warnings.isEmpty {
            recover(stuck, at: time)
        }
        let queue = Key(kind: .longQueue, about: observer.id)
        // Only put together for those that need it, which are few.
        var words: String { "\(observer.type), \(observer.delivery), registered at \(observer.place)" }
        if observer.waiting > Self.longQueue {
            give(queue, "\(observer.waiting) notifications wait for an observer: \(words)", observer, at: time)
        } else if !warnings.isEmpty, observer.waiting <= Self.longQueue / 2 {
            recover(queue, at: time)
        }
        if drops > 0 {
            let text = "\(observer.dropped) notifications were dropped: \(words)"
            give(Key(kind: .drops, about: observer.id), text, observer, at: time)
        }
    }

    /// Notes what only grows, or did.
    mutating func note(_ leaks: (groups: [GroupBook.Leak], owners: [GroupBook.Leak]), at time: Double) {
        for (kind, leaks) in [
            (InspectorSnapshot.Warning.Kind.growingObservers, leaks.groups), (.growingOwners, leaks.owners),
        ] {
            for leak in leaks {
                let key = Key(kind: kind, about: leak.id)
                if leak.isGrowing {
                    give(key, leak.text.plain, leak.center, nil, leak.place, at: time)
                    if kind == .growingObservers { warnings[key]?.group = leak.id }
                } else if !warnings.isEmpty {
                    recover(key, at: time)
                }
            }
        }
    }

    /// Notes that an observer has ended, and with it what was wrong with its queue.
    mutating func noteEnd(of observer: String, at time: Double) {
        recover(Key(kind: .stuck, about: observer), at: time)
        recover(Key(kind: .longQueue, about: observer), at: time)
        recover(Key(kind: .drops, about: observer), at: time)
    }

    /// Notes what a monitor was told. What is seen at looks, too, is left to them.
    mutating func note(_ warning: ObserverWarning, in center: String, at time: Double) {
        let kind: InspectorSnapshot.Warning.Kind
        switch warning {
        case .reachedNobody: kind = .reachedNobody
        case .slowOnMainActor: kind = .slowOnMainActor
        case .lastingOwner: kind = .lastingOwner
        default: return
        }
        let id = "\(warning.observer.id)"
        // A duration to the attosecond is nothing for a person.
        let text =
            if case .slowOnMainActor(let observer, let duration) = warning {
                "an observer took \(duration.inSeconds.roundedDuration) on the main actor: \(observer)"
            } else {
                warning.description
            }
        give(
            Key(kind: kind, about: id), text.plain, center, id, warning.observer.place.plain, at: time)
    }

    /// Notes a failure.
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
        // A queue that stays long is one warning; all else counts how often it was told.
        let isLiving = warnings[key].map { $0.recovered == nil } ?? false
        if isLiving {
            warnings[key]?.text = text
            if !key.kind.isState { warnings[key]?.count += 1 }
            return
        }
        if warnings[key] == nil, warnings.count >= Self.most { forgetOne() }
        number += 1
        warnings[key] = InspectorSnapshot.Warning(
            id: number, kind: key.kind, text: text, center: center, observer: observer, place: place, since: time,
            count: (warnings[key]?.count ?? 0) + 1)
    }

    private mutating func recover(_ key: Key, at time: Double) {
        if let warning = warnings[key], warning.recovered == nil { warnings[key]?.recovered = time }
    }

    /// Forgets the oldest warning of those that have recovered, or of all.
    private mutating func forgetOne() {
        let oldest = warnings.min { lhs, rhs in
            let (left, right) = (lhs.value.recovered == nil, rhs.value.recovered == nil)
            return left == right ? lhs.value.id < rhs.value.id : right
        }
        guard let oldest else { return }
        warnings[oldest.key] = nil
        last[oldest.key] = nil
    }

    /// The warnings: those that live first, and the last one first among them.
    mutating func all(at time: Double) -> [InspectorSnapshot.Warning] {
        for (key, warning) in warnings where warning.recovered == nil && !key.kind.isState {
            let calm = key.kind == .drops ? Self.calmAfterDrops : Self.calmAfterEvent
            if time - (last[key] ?? time) >= calm { recover(key, at: time) }
        }
        return warnings.values.sorted { lhs, rhs in
            let (left, right) = (lhs.recovered == nil, rhs.recovered == nil)
            return left == right ? lhs.id > rhs.id : left
        }
    }
}

extension InspectorSnapshot.Warning.Kind {
    /// Whether it lasts as long as each look finds it, and is not told each time that it happens.
    fileprivate var isState: Bool {
        switch self {
        case .longQueue, .stuck, .growingObservers, .growingOwners: true
        default: false
        }
    }
}
