/// Counts the drops or errors of each observer. The first event of an observer is reported individually, and the events
/// of each following interval are reported together. An observer's entry is removed after an interval without events.
struct RepeatedEvents: Sendable {
    struct Noted: Sendable {
        let observer: ObserverDescription
        fileprivate(set) var since: Duration
        fileprivate(set) var count = 0
        fileprivate(set) var total: Int
        fileprivate(set) var latest = ""
    }

    private let interval: Duration?
    private var noted: [ObserverDescription.ID: Noted] = [:]

    /// A lower bound for the time at which the next observer has to be reported or removed.
    private var next: Duration?

    var due: Duration? { noted.isEmpty ? nil : next }

    init(every interval: Duration?) { self.interval = interval }

    var isEmpty: Bool { noted.isEmpty }

    /// Counts an event, and returns whether it is the observer's first one, which isn't aggregated. If `total` is
    /// `nil`, the total is counted here. If `isFirst` is `nil`, the event is the first if the observer has no entry.
    mutating func note(
        _ observer: ObserverDescription, total: Int? = nil, isFirst: Bool? = nil, latest: String = "", at now: Duration
    ) -> Bool {
        guard let interval else { return true }
        let known = noted[observer.id]
        let isFirst = isFirst ?? (known == nil)
        var new = known ?? Noted(observer: observer, since: now, total: 0)
        if !isFirst { new.count += 1 }
        new.total = max(new.total, total ?? new.total + 1)
        new.latest = latest
        next = min(due ?? new.since + interval, new.since + interval)
        noted[observer.id] = new
        return isFirst
    }

    mutating func take(_ now: Duration?) -> [Noted] {
        guard !noted.isEmpty, let interval else { return [] }
        var taken: [Noted] = []
        next = nil
        for (id, known) in noted {
            if now.map({ $0 - known.since >= interval }) ?? true {
                if known.count > 0 { taken.append(known) }
                guard known.count > 0, let now else {
                    noted[id] = nil
                    continue
                }
                noted[id]?.count = 0
                noted[id]?.since = now
            }
            if let since = noted[id]?.since { next = min(next ?? since + interval, since + interval) }
        }
        return taken
    }

    mutating func remove(_ observer: ObserverDescription.ID) -> Noted? {
        noted.removeValue(forKey: observer).flatMap { $0.count > 0 ? $0 : nil }
    }
}
