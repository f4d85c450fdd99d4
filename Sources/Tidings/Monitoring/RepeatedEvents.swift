/// What happens to observers again and again, drops or errors: the first is told as an event, and those that follow within an interval
/// are put together.
///
/// An observer is known until nothing has happened to it for the interval.
struct RepeatedEvents: Sendable {
    /// What has happened to one observer since it was last told.
    struct Noted: Sendable {
        let observer: ObserverDescription
        fileprivate(set) var since: Duration
        /// How often, without what was told.
        fileprivate(set) var count = 0
        /// How often in all, as far as it is known.
        fileprivate(set) var total: Int
        /// The last one, in words.
        fileprivate(set) var latest = ""
    }

    private let interval: Duration?
    private var noted: [ObserverDescription.ID: Noted] = [:]

    /// Not later than the next of them is to be told, or forgotten.
    private var next: Duration?

    /// When some are to be told, or forgotten; `nil` if there are none.
    var due: Duration? { noted.isEmpty ? nil : next }

    /// - Parameter interval: For how long they are put together; `nil` if they are not noted.
    init(every interval: Duration?) { self.interval = interval }

    var isEmpty: Bool { noted.isEmpty }

    /// Notes one.
    ///
    /// - Parameters:
    ///   - observer: The observer.
    ///   - total: How often it has happened to it in all; `nil` if it has to be counted.
    ///   - isFirst: Whether it is told as an event alone; `nil` if it is when the observer is not known.
    ///   - latest: It, in words.
    ///   - now: The time.
    /// - Returns: Whether it is told as an event alone.
    mutating func note(
        _ observer: ObserverDescription, total: Int? = nil, isFirst: Bool? = nil, latest: String = "",
        at now: Duration
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

    /// Takes out what is to be told.
    ///
    /// - Parameter now: The time; `nil` to take all.
    /// - Returns: It.
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

    /// Takes out what is to be told of an observer, and forgets it.
    mutating func remove(_ observer: ObserverDescription.ID) -> Noted? {
        noted.removeValue(forKey: observer).flatMap { $0.count > 0 ? $0 : nil }
    }
}
