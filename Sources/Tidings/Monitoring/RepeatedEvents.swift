/// Counts the drops or errors of each observer. The first event of an observer is reported individually, and the events
/// of each following interval are reported together. An observer's entry is removed after an interval without events.
struct RepeatedEvents: ~Copyable, Sendable {
    typealias Noted = (observer: ObserverDescription, since: Duration, count: Int, total: Int, latest: String)

    private let interval: Duration?
    private let warning: @Sendable (Noted) -> ObserverWarning
    private var noted: [ObserverDescription.ID: Noted] = [:]

    /// A lower bound for the time at which the next observer has to be reported or removed.
    private var next: Duration?

    var due: Duration? { noted.isEmpty ? nil : next }

    init(every interval: Duration?, warning: @escaping @Sendable (Noted) -> ObserverWarning) {
        self.interval = interval
        self.warning = warning
    }

    var isEmpty: Bool { noted.isEmpty }

    /// Counts an event, and returns whether it is the observer's first one, which isn't aggregated. If `total` is
    /// `nil`, the total is counted here. If `isFirst` is `nil`, the event is the first if the observer has no entry.
    mutating func note(
        _ observer: ObserverDescription, total: Int? = nil, isFirst: Bool? = nil, latest: String = "", at now: Duration
    ) -> Bool {
        guard let interval else { return true }
        let known = noted[observer.id]
        let isFirst = isFirst ?? (known == nil)
        var new = known ?? (observer: observer, since: now, count: 0, total: 0, latest: "")
        if !isFirst { new.count += 1 }
        new.total = max(new.total, total ?? new.total + 1)
        new.latest = latest
        next = min(due ?? new.since + interval, new.since + interval)
        noted[observer.id] = new
        return isFirst
    }

    mutating func take(_ now: Duration?) -> [ObserverWarning] {
        guard !noted.isEmpty, let interval else { return [] }
        var taken: [ObserverWarning] = []
        next = nil
        for (id, known) in noted {
            var since = known.since
            if now.map({ $0 - since >= interval }) ?? true {
                if known.count > 0 { taken.append(warning(known)) }
                guard known.count > 0, let now else {
                    noted[id] = nil
                    continue
                }
                since = now
                noted[id] = (known.observer, since, 0, known.total, known.latest)
            }
            next = min(next ?? since + interval, since + interval)
        }
        return taken
    }

    mutating func remove(_ observer: ObserverDescription.ID) -> ObserverWarning? {
        guard let known = noted.removeValue(forKey: observer), known.count > 0 else { return nil }
        return warning(known)
    }
}
