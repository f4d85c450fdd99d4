public import Tidings

/// When a relay asks how far behind its routes are, and what it was answered last.
struct LagWatch {
    /// The answer; `nil` before there is one.
    private(set) var routes: [LagReport.Route]?

    /// Why there is no newer answer.
    private(set) var error: String?

    /// Who is told each time.
    private(set) var records: [@Sendable (LagReport) -> Void] = []

    private var isBusy = false
    private var next = Duration.zero
    private var wantedUntil = Duration.zero
    private var wasConnected = false

    mutating func add(_ record: @escaping @Sendable (LagReport) -> Void) { records.append(record) }

    /// Notes that somebody reads the answer, who may come again.
    mutating func want(until time: Duration) { wantedUntil = max(wantedUntil, time) }

    /// Begins a look, if it is time for one: at once when a connection has come, as what is known is from before.
    ///
    /// - Parameters:
    ///   - isAlwaysWanted: Whether there are looks though nobody reads or records them.
    ///   - isConnected: Whether there is somebody to ask.
    ///   - interval: The time from one look to the next.
    ///   - now: The time.
    /// - Returns: Whether to look; ``end(_:)`` follows.
    mutating func begin(isAlwaysWanted: Bool, isConnected: Bool, every interval: Duration, at now: Duration) -> Bool {
        guard isAlwaysWanted || !records.isEmpty || now < wantedUntil else { return false }
        guard !isBusy, now >= next || isConnected && !wasConnected else { return false }
        (isBusy, next, wasConnected) = (true, now + interval, isConnected)
        return true
    }

    /// Ends a look.
    ///
    /// - Parameter result: What was found; `nil` if nobody could be asked.
    mutating func end(_ result: Result<[LagReport.Route], RelayFault>?) {
        isBusy = false
        switch result {
        case .success(let routes): (self.routes, error) = (routes, nil)
        case .failure(let fault): error = "\(fault)"
        case nil: error = nil
        }
    }
}

extension NotificationRelay: LagReporter {
    /// How far behind the relay is, as it was known last: at most ``RelayOptions/lagInterval`` ago while this is read, and while it is
    /// connected. When nobody has read it for a minute, the server is not asked any more; so at first there are no routes.
    ///
    /// ``status()`` asks the server, and also tells the partitions of an `ordered` route apart.
    public var lag: LagReport {
        let now = clock.now
        lagWatch.withLock { $0.want(until: now + max(.seconds(60), options.lagInterval * 3)) }
        return knownLag
    }

    /// The same, without a wish for more.
    var knownLag: LagReport {
        let (routes, error) = lagWatch.withLock { ($0.routes, $0.error) }
        let (count, bytes) = outbox.update { ($0.count, $0.bytes) }
        return LagReport(
            name: options.name, isConnected: isConnected, outgoing: count, outgoingBytes: bytes, routes: routes ?? [],
            error: error)
    }

    /// Whether there is a connection that everything has been set up over.
    var isConnected: Bool { !isOver.isOn && isReady.isOn && state.withLock { $0.link != nil } }

    /// Has somebody told how far behind the relay is, every ``RelayOptions/lagInterval``.
    func tellLag(_ record: @escaping @Sendable (LagReport) -> Void) { lagWatch.withLock { $0.add(record) } }

    /// Looks how far behind the routes are, if somebody wants to know, and it is time.
    func watchLag() {
        let (now, isConnected) = (clock.now, isConnected)
        let begins = lagWatch.withLock {
            $0.begin(
                isAlwaysWanted: limitsLag, isConnected: isConnected, every: options.lagInterval, at: now)
        }
        if !begins { return }
        // The answers take their time, and the clock goes on.
        Task {
            var result: Result<[LagReport.Route], RelayFault>?
            if isConnected {
                do throws(RelayFault) { result = .success(try await status().lag) } catch { result = .failure(error) }
            }
            let records = lagWatch.withLock { watch in
                watch.end(result)
                return watch.records
            }
            let report = knownLag
            for record in records { record(report) }
            // What was recorded as the relay ended is not the last word.
            if report.isConnected, isOver.isOn { endLag() }
        }
    }

    /// Tells for the last time, as the relay has ended.
    func endLag() {
        let (records, report) = (lagWatch.withLock { $0.records }, knownLag)
        for record in records { record(report) }
    }

    /// What is too far behind for a route.
    func lagLimits(of route: LagReport.Route) -> RelayOptions.LagLimits {
        let active = routes.first { active in
            guard let reading = active.reading else { return false }
            return active.route.eventName == route.notification && reading.stream == route.stream
                && reading.group == route.group
        }
        return active?.route.taking.lagLimits ?? options.lagLimits
    }

    /// Whether there is a limit for any route.
    private var limitsLag: Bool {
        routes.contains { $0.reading != nil && !($0.route.taking.lagLimits ?? options.lagLimits).isEmpty }
    }
}

extension RelayStatus {
    /// The routes, with the consumers of each added up: of its partitions, say.
    fileprivate var lag: [LagReport.Route] {
        var all: [LagReport.Route] = []
        for route in routes {
            let index = all.firstIndex {
                $0.notification == route.eventName && $0.stream == route.stream && $0.group == route.group
            }
            guard let index else {
                all.append(
                    LagReport.Route(
                        notification: route.eventName, stream: route.stream, group: route.group,
                        waiting: route.waiting, inProgress: route.inProgress, redelivered: route.redelivered,
                        buried: route.buried, oldestAge: route.oldestAge))
                continue
            }
            all[index].waiting += route.waiting
            all[index].inProgress += route.inProgress
            all[index].redelivered += route.redelivered
            all[index].buried += route.buried
            all[index].oldestAge = [all[index].oldestAge, route.oldestAge].compactMap { $0 }.max()
        }
        return all
    }
}
