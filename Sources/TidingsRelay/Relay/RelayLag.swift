final class RelayLag: Sendable {
    private let context: RelayContext
    private let connection: RelayConnection
    private let sender: RelaySender
    private let table: TableSending?
    private let routes: [(route: RelayRoute, reading: ActiveRoute.Reading)]
    private let watch = Lock(LagWatch())
    private let serverClock = Lock(ServerClock())

    init(
        _ context: RelayContext, _ connection: RelayConnection, _ sender: RelaySender, _ table: TableSending?,
        _ routes: [ActiveRoute]
    ) {
        self.context = context
        self.connection = connection
        self.sender = sender
        self.table = table
        self.routes = routes.compactMap { route in route.reading.map { (route: route.route, reading: $0) } }
    }

    /// The last known report. Reading it makes the relay update the report for at least another minute.
    var wanted: LagReport {
        let end = context.clock.now + max(.seconds(60), context.options.lagInterval * 3)
        watch.withLock { $0.want(until: end) }
        return known
    }

    var known: LagReport {
        let (routes, error) = watch.withLock { ($0.routes, $0.error) }
        return report(routes ?? [], error)
    }

    private func report(_ routes: [LagReport.Route], _ error: String? = nil) -> LagReport {
        let unsent = sender.unsent
        return LagReport(
            name: context.options.name, isConnected: connection.isConnected, outgoing: unsent.count,
            outgoingBytes: unsent.bytes, routes: routes, error: error)
    }

    func tell(_ record: @escaping @Sendable (LagReport) -> Void) { watch.withLock { $0.records.append(record) } }

    func tick() {
        let isConnected = connection.isConnected
        let begins = watch.withLock {
            $0.begin(
                isAlwaysWanted: hasLimits, isConnected: isConnected, every: context.options.lagInterval,
                at: context.clock.now)
        }
        if !begins { return }
        Task {
            var result: Result<[LagReport.Route], RelayFault>?
            if isConnected {
                do throws(RelayFault) { result = .success(try await status().routes.merged) } catch {
                    result = .failure(error)
                }
            }
            watch.withLock { $0.end(result) }
            let isConnected = tellKnown()
            // If the relay ended meanwhile, the first report may show a connected relay. A second report corrects it.
            if isConnected, connection.isOver.isSet { tellKnown() }
        }
    }

    @discardableResult
    func tellKnown() -> Bool {
        let (records, report) = (watch.withLock { $0.records }, known)
        for record in records { record(report) }
        return report.isConnected
    }

    func status() async throws(RelayFault) -> LagReport {
        let service = try connection.service()
        // The requests are concurrent, because an `ordered` route may have hundreds of partitions.
        let found = try await atOnce(routes) { route throws(RelayFault) in
            try await self.status(of: route.reading, route.route.eventName, service)
        }
        return report(found)
    }

    private func status(
        of reading: ActiveRoute.Reading, _ eventName: String, _ service: StreamService
    ) async throws(RelayFault) -> LagReport.Route {
        let (stream, consumer) = (reading.stream, reading.consumer)
        let info = try await service.ask("CONSUMER.INFO.\(stream).\(consumer.name)")
        let filter = #"{"subjects_filter":\#(JSONText.string(reading.deadLetterSubject))}"#
        let dead = try await service.ask("STREAM.INFO.\(stream)_DEAD", filter)?.object("state")?.object("subjects")
        let (waiting, inProgress) = (info?.number("num_pending") ?? 0, info?.number("num_ack_pending") ?? 0)
        var age: Duration?
        if waiting + inProgress > 0 {
            let next = (info?.object("ack_floor")?.number("stream_seq") ?? 0) + 1
            let request = #"{"seq":\#(next),"next_by_subj":\#(JSONText.string(consumer.pattern))}"#
            let oldest = try await service.ask("STREAM.MSG.GET.\(stream)", request)?.object("message")?.string("time")
            if let stored = oldest.flatMap(Timestamps.seconds) {
                let now = await serverTime(info?.string("ts"), reading)
                age = .seconds(max(0, now - stored))
            }
        }
        return LagReport.Route(
            notification: eventName, stream: stream, group: reading.group, consumer: consumer.name, waiting: waiting,
            inProgress: inProgress, redelivered: info?.number("num_redelivered") ?? 0,
            deadLetters: dead?.number(reading.deadLetterSubject) ?? 0, oldestAge: age)
    }

    /// Returns the server's time. Newer servers send it. For older ones, the relay stores a message and reads its time.
    private func serverTime(_ told: String?, _ reading: ActiveRoute.Reading) async -> Int {
        if let time = told.flatMap(Timestamps.seconds) { return time }
        let clock = context.clock
        if let time = serverClock.withLock({ $0.time(at: clock.now) }) { return time }
        guard let notes = try? connection.notes(of: reading), let time = try? await notes.serverTime()
        else { return Int(clock.wall / 1000) }
        serverClock.withLock { $0.note(time, at: clock.now) }
        return time
    }

    private var hasLimits: Bool {
        routes.contains { !($0.route.consumerOptions.lagLimits ?? context.options.lagLimits).isEmpty }
    }

    func health(_ limits: RelayOptions.LagLimits?) -> NotificationHealth {
        var problems: [NotificationHealth.Problem] = []
        let options = context.options
        let lag = limits == nil ? known : wanted
        if !lag.isConnected {
            var words = "the relay \(options.name) is not connected, and \(lag.outgoing.waitingNotifications) for it"
            if let table { words += ", and up to \(table.backlog) in the outbox" }
            problems.append(.init(.disconnected, words))
        }
        let (limit, byteLimit) = (options.sendBufferLimit, options.sendBufferByteLimit)
        // Dividing the limits can't overflow, unlike multiplying them.
        if lag.outgoing >= limit - limit / 10 {
            let words = "and the limit of the relay \(options.name) is \(limit)"
            problems.append(.init(.fullBuffer, "\(lag.outgoing.waitingNotifications) to be stored, \(words)"))
        } else if lag.outgoingBytes >= byteLimit - byteLimit / 10 {
            let size = "\(lag.outgoing.waitingNotifications) to be stored, with \(lag.outgoingBytes) bytes"
            let words = "and the limit of the relay \(options.name) is \(byteLimit) bytes"
            problems.append(.init(.fullBuffer, "\(size), \(words)"))
        }
        for route in lag.routes { problems += self.problems(of: route, limits ?? options.lagLimits) }
        if let error = lag.error {
            let words = "the server did not report how far behind the routes of the relay \(options.name) are"
            problems.append(.init(.failingStore, "\(words): \(error)"))
        }
        return NotificationHealth(problems)
    }

    private func problems(of route: LagReport.Route, _ usual: RelayOptions.LagLimits) -> [NotificationHealth.Problem] {
        let active = routes.first { [$0.route.eventName, $0.reading.stream, $0.reading.group] == route.key }
        let limits = active?.route.consumerOptions.lagLimits ?? usual
        let name = "\(route.notification) in the stream \(route.stream) for \(route.group)"
        var problems: [NotificationHealth.Problem] = []
        if let limit = limits.age, let age = route.oldestAge, age > limit {
            let words = "was stored \(age) ago, and the limit is \(limit)"
            problems.append(.init(.longWait, "the oldest unhandled \(name) \(words)"))
        }
        if let limit = limits.waiting, route.waiting > limit {
            let words = "is \(route.waiting), and the limit is \(limit)"
            problems.append(.init(.longQueue, "the number of waiting \(name) \(words)"))
        }
        return problems
    }
}

extension LagReport.Route {
    fileprivate var key: [String] { [notification, stream, group] }
}

extension [LagReport.Route] {
    fileprivate var merged: [LagReport.Route] {
        var all: [LagReport.Route] = []
        for route in self {
            guard let index = all.firstIndex(where: { $0.key == route.key }) else {
                all.append(route)
                continue
            }
            all[index].consumer = nil
            all[index].waiting += route.waiting
            all[index].inProgress += route.inProgress
            all[index].redelivered += route.redelivered
            all[index].deadLetters += route.deadLetters
            all[index].oldestAge = [all[index].oldestAge, route.oldestAge].compactMap { $0 }.max()
        }
        return all
    }
}
