import InMemoryLogging
import Logging
import TestSupport
import Testing
import Tidings
import TidingsServer
import TidingsTesting

/// A handler whose level is shared by all copies of its logger.
private struct ChangingHandler: LogHandler {
    var shared: InMemoryLogHandler
    let levels: ReceivedValues<Logger.Level>

    var metadata: Logger.Metadata {
        get { shared.metadata }
        set { shared.metadata = newValue }
    }
    var logLevel: Logger.Level {
        get { levels.values.last ?? .critical }
        set { levels.append(newValue) }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { shared[metadataKey: key] }
        set { shared[metadataKey: key] = newValue }
    }

    func log(event: LogEvent) { shared.log(event: event) }
}

@Suite(.timeLimit(.minutes(2))) struct LoggingMonitorTests {
    private let center = NativeNotificationCenter()
    private let clock = ManualClock()
    private let handler = InMemoryLogHandler()

    private func logger(_ level: Logger.Level = .trace) -> Logger {
        var logger = Logger(label: "LoggingMonitorTests") { _ in handler }
        logger.logLevel = level
        return logger
    }

    @Test func `each kind of event is logged with its own level, message and metadata`() async {
        let (actor, clock) = (StoppedActor(), clock)
        let thresholds = WarningThresholds(waiting: 1, ownerAge: .seconds(60))
        let attachment = center.attach(LoggingMonitor(logger()), thresholds: thresholds, clock: clock)
        let token = center.addObserver(actor, on: .actor, for: Counted.self, buffering: .oldest(2)) { _, _ in
            clock.advance(by: .seconds(2))
        }
        let place = "\(thisFile()):\(#line - 3)"
        for number in 0..<3 { center.post(Counted(number: number)) }
        let postedAt = "\(thisFile()):\(#line - 1)"
        clock.advance(by: .milliseconds(500))
        await actor.executor.run { handler.entries.count { $0.message == "notification delivered" } == 2 }
        clock.advance(by: .seconds(60))
        attachment.check()
        token.cancel()
        func entry(_ message: String, _ number: Int = 0) -> InMemoryLogHandler.Entry? {
            handler.entries.filter { "\($0.message)" == message }.dropFirst(number).first
        }
        let number = entry("observer registered")?.metadata["tidings.observer_id"]
        let known: Logger.Metadata = [
            "tidings.notification": "AdapterTests.Counted", "tidings.delivery": "actor",
            "tidings.registered_at": "\(place)", "tidings.observer": "TestSupport.StoppedActor",
            "tidings.observer_id": number ?? "none",
        ]
        let posts = handler.entries.filter { $0.message == "notification posted" }.map { $0.metadata["tidings.post"] }
        func post(_ number: Int) -> Logger.Metadata { ["tidings.post": posts[number] ?? "none"] }
        #expect(entry("observer registered")?.level == .debug)
        #expect(entry("observer registered")?.metadata == known)
        #expect(entry("notification posted")?.level == .trace)
        #expect(
            entry("notification posted")?.metadata == [
                "tidings.notification": "AdapterTests.Counted", "tidings.observers": "1", "tidings.duration": "0.0",
                "tidings.posted_at": "\(postedAt)",
                "tidings.post": entry("notification delivered")?.metadata["tidings.post"] ?? "none",
            ])
        #expect(
            entry("notification waits", 1)?.metadata
                == known.merging(["tidings.waiting": "2"]) { $1 }.merging(post(1)) { $1 })
        #expect(entry("notification waits")?.level == .trace)
        #expect(entry("notification dropped")?.level == .warning)
        #expect(
            entry("notification dropped")?.metadata
                == known.merging(["tidings.dropped": "1"]) { $1 }.merging(post(2)) { $1 })
        #expect(
            entry("notification delivered", 1)?.metadata
                == known.merging([
                    "tidings.waiting": "0", "tidings.duration": "2.0", "tidings.wait_time": "2.5",
                    "tidings.post": entry("notification posted", 1)?.metadata["tidings.post"] ?? "none",
                    "tidings.delivery_id": entry("notification delivered", 1)?.metadata["tidings.delivery_id"]
                        ?? "none",
                ]) { $1 })
        #expect(entry("many notifications wait")?.level == .warning)
        #expect(entry("many notifications wait")?.metadata == known.merging(["tidings.waiting": "2"]) { $1 })
        #expect(entry("old observation's owner is still alive")?.metadata["tidings.age"] == "64.5")
        #expect(entry("observation ended")?.metadata == known.merging(["tidings.reason": "cancelled"]) { $1 })
        withExtendedLifetime(attachment) {}
    }

    @MainActor
    @Test func `a failure is logged as an error, and a slow call on the main actor as a warning`() async {
        let (monitor, clock) = (LoggingMonitor(logger()), clock)
        let attachment = center.attach(monitor, clock: clock)
        let token = center.addObserver(on: .main, for: Counted.self) { _ in clock.advance(by: .seconds(1)) }
        center.post(Counted(number: 0))
        await eventually("the slow observer is logged") {
            handler.entries.contains(where: { $0.message == "observer is slow on the main actor" })
        }
        #expect(handler.entries.last?.level == .warning)
        #expect(handler.entries.last?.metadata["tidings.duration"] == "1.0")
        monitor.receive(
            .failed(
                NotificationFailure(notification: "N", kind: "could not be decoded", description: "N: why", error: nil))
        )
        #expect(handler.entries.last?.level == .error)
        #expect(handler.entries.last?.message == "notification failed")
        #expect(
            handler.entries.last?.metadata == [
                "tidings.notification": "N", "tidings.kind": "could not be decoded", "tidings.reason": "N: why",
            ])
        withExtendedLifetime((attachment, token)) {}
    }

    private struct Refusal: Error {}

    @Test func `an error is logged with its observer, its group, its post and the post's cause`() async throws {
        let center = center
        let attachment = center.attach(LoggingMonitor(logger()))
        let group = ObserverGroup("mail")
        center.addObserver(on: .task, for: Counted.self) { _ in throw Refusal() }.store(in: group)
        let place = "\(thisFile()):\(#line - 1)"
        center.addObserver(on: .task, for: Cleared.self) { _ in center.post(Counted(number: 1)) }.store(in: group)
        center.post(Cleared())
        await eventually("the failure is logged") {
            handler.entries.contains(where: { $0.message == "notification failed" })
        }
        let failed = try #require(handler.entries.first { $0.message == "notification failed" }).metadata
        #expect(failed["tidings.observer"] == "AdapterTests/LoggingMonitorTests.swift")
        #expect(failed["tidings.group"] == "mail" && failed["tidings.delivery"] == "task")
        #expect(failed["tidings.registered_at"] == "\(place)" && failed["tidings.kind"] == "observer threw")
        let post = try #require(handler.entries.first { $0.metadata["tidings.cause"] != nil }).metadata
        #expect(post["tidings.post"] == failed["tidings.post"])
        await eventually("the delivery of the failed notification is logged") {
            handler.entries.contains(where: { $0.metadata["tidings.delivery_id"] == post["tidings.cause"] })
        }
        withExtendedLifetime(attachment) {}
    }

    private struct PaymentRefused: Error { let card: String }

    @Test func `an error is logged with its type, and with its text only on request`() async throws {
        var (quiet, open) = (InMemoryLogHandler(), InMemoryLogHandler())
        (quiet.logLevel, open.logLevel) = (.info, .info)
        let attachments = [
            center.attach(LoggingMonitor(Logger(label: "quiet") { [quiet] _ in quiet }), clock: clock),
            center.attach(
                LoggingMonitor(Logger(label: "open") { [open] _ in open }, logsErrorText: true), clock: clock),
        ]
        let token = center.addObserver(on: .task, for: Counted.self) { _ in throw PaymentRefused(card: "4111-1111") }
        for number in 0..<3 { center.post(Counted(number: number)) }
        await center.drain(within: .seconds(600))
        clock.advance(by: .seconds(1))
        for attachment in attachments { attachment.check() }
        // The monitor's timer may have collected the report, but not logged it yet.
        await eventually("two entries are logged", { quiet.entries.count }, until: { $0 >= 2 })
        #expect(quiet.entries.map { "\($0.message)" } == ["notification failed", "notifications failed"])
        #expect(quiet.entries.first?.metadata["tidings.error"] == "LoggingMonitorTests.PaymentRefused")
        #expect(quiet.entries.allSatisfy { !"\($0.metadata)".contains("4111") })
        #expect("\(try #require(open.entries.first).metadata)".contains("4111"))
        withExtendedLifetime((attachments, token)) {}
    }

    @Test func `a hanging call is logged with the last step that the call marked`() async throws {
        let (gate, clock) = (Gate(), clock)
        let attachment = center.attach(LoggingMonitor(logger()), clock: clock)
        let token = center.addObserver(on: .task, for: Counted.self) { _ in
            Tidings.mark("waiting for the bank")
            await gate.wait()
        }
        let place = "\(thisFile()):\(#line - 3)"
        center.post(Counted(number: 0))
        func slow() -> InMemoryLogHandler.Entry? { handler.entries.first { $0.message == "a call is taking long" } }
        await eventually("the call is logged") {
            clock.advance(by: .seconds(3))
            return slow() != nil
        }
        let entry = try #require(slow())
        #expect(entry.metadata["tidings.mark"] == "waiting for the bank")
        #expect(entry.metadata["tidings.marked_at"] == "\(place)")
        gate.open()
        await token.cancelAndDrain()
        withExtendedLifetime(attachment) {}
    }

    @Test func `a failed attempt is logged as a notice if it will be retried, and as an error if it is the last`()
        async
    {
        let attachment = center.attach(
            LoggingMonitor(logger(.info)), thresholds: WarningThresholds(failureInterval: nil), clock: clock)
        let token = center.addObserver(
            on: .task, for: Counted.self, onFailure: .retry(after: [.zero, .milliseconds(1)], then: .end)
        ) { _ in throw Refusal() }
        center.post(Counted(number: 0))
        await eventually("three entries are logged", { handler.entries.count }, until: { $0 >= 3 })
        #expect(handler.entries.map(\.level) == [.notice, .notice, .error])
        #expect(
            handler.entries.map { "\($0.message)" } == [
                "notification will be retried", "notification will be retried", "notification failed",
            ])
        #expect(handler.entries.map { $0.metadata["tidings.attempt"] } == ["1", "2", nil])
        #expect(handler.entries.map { $0.metadata["tidings.delay"] } == ["0.0", "0.001", nil])
        #expect(handler.entries.first?.metadata["tidings.attempts"] == "3")
        #expect(handler.entries.first?.metadata["tidings.last_response"] == "the observation ends")
        withExtendedLifetime((attachment, token)) {}
    }

    @Test func `a blocked thread pool is logged in one line that lists the running calls`() async throws {
        let (gate, monitor) = (Gate(), LoggingMonitor(logger(.warning)))
        let token = center.addObserver(on: .task, for: Counted.self) { _ in await gate.wait() }
        let place = "\(thisFile()):\(#line - 1)"
        center.post(Counted(number: 0))
        await eventually("an observer runs") { self.center.callsUnderWay.contains(where: \.isRunning) }
        let (center, handler, began) = (center, handler, Moment.now - 100_000_000_000)
        // Reports that the last check was 100 seconds ago. The checks end when a line has been logged.
        for _ in 0..<3 {
            monitor.checksBegan(by: ObjectIdentifier(center), every: .milliseconds(1)) {
                handler.entries.isEmpty ? CheckProgress(last: began) { center.callsUnderWay } : nil
            }
        }
        await eventually("an entry is logged") { !handler.entries.isEmpty }
        let entry = try #require(handler.entries.first)
        #expect(entry.level == .warning && entry.message == "the cooperative thread pool starts no work")
        #expect(entry.metadata["tidings.occupied_by"] == .array(["AdapterTests.Counted at \(place)"]))
        #expect(handler.entries.count == 1)
        gate.open()
        await token.cancelAndDrain()
    }

    @Test func `if checks begin while the watch for a blocked pool ends, they are watched, too`() async {
        let (monitor, center, isWatched) = (LoggingMonitor(logger()), ObjectIdentifier(center), Gate())
        monitor.checksBegan(by: center, every: .milliseconds(1)) {
            monitor.checksBegan(by: center, every: .milliseconds(1)) {
                isWatched.open()
                return nil
            }
            return nil
        }
        await eventually("the new checks are watched") { isWatched.isOpen }
    }

    @Test func `drops are logged, but not the intended drops of the policy latest(1)`() async {
        let attachment = center.attach(LoggingMonitor(logger(.info)), clock: clock)
        let sequence = center.notifications(of: Counted.self, buffering: .latest(1))
        for number in 0..<5 { center.post(Counted(number: number)) }
        clock.advance(by: .seconds(1))
        attachment.check()
        #expect(handler.entries.isEmpty)
        let other = center.notifications(of: Counted.self, buffering: .latest(2))
        for number in 0..<5 { center.post(Counted(number: number)) }
        clock.advance(by: .seconds(1))
        attachment.check()
        // The monitor's timer may have collected the report, but not logged it yet.
        await eventually("two entries are logged", { handler.entries.count }, until: { $0 >= 2 })
        #expect(handler.entries.map { "\($0.message)" } == ["notification dropped", "notifications dropped"])
        withExtendedLifetime((sequence, other)) {}
    }

    @Test func `an observer's errors are logged at most once per second, with their number`() async {
        let (center, clock) = (center, clock)
        let attachment = center.attach(LoggingMonitor(logger(.warning)), clock: clock)
        let tokens = (0..<2).map { _ in
            center.addObserver(on: .task, for: Counted.self) { _ in throw Refusal() }
        }
        func lines() -> [String] { handler.entries.map { "\($0.message) \($0.metadata["tidings.count"] ?? "")" } }
        for number in 0..<1000 { center.post(Counted(number: number)) }
        await center.drain(within: .seconds(600))
        #expect(lines() == ["notification failed ", "notification failed "])
        clock.advance(by: .seconds(1))
        attachment.check()
        // The monitor's timer may have collected a report, but not logged it yet.
        await eventually("four entries are logged", { lines().count }, until: { $0 >= 4 })
        #expect(lines().dropFirst(2) == ["notifications failed 999", "notifications failed 999"])
        #expect(handler.entries.allSatisfy { $0.level == .error })
        center.post(Counted(number: 0))
        await center.drain(within: .seconds(600))
        attachment.detach()
        #expect(lines().dropFirst(4) == ["notifications failed 1", "notifications failed 1"])
        withExtendedLifetime(tokens) {}
    }

    @Test func `an error that follows a second without errors is logged in its own line`() async {
        let attachment = center.attach(LoggingMonitor(logger(.warning)), clock: clock)
        let token = center.addObserver(on: .task, for: Counted.self) { _ in throw Refusal() }
        for _ in 0..<3 {
            center.post(Counted(number: 0))
            await center.drain(within: .seconds(600))
            clock.advance(by: .seconds(1))
            attachment.check()
        }
        #expect(handler.entries.map { "\($0.message)" } == Array(repeating: "notification failed", count: 3))
        withExtendedLifetime(token) {}
    }

    @Test(
        arguments: [
            (.trace, .everything), (.debug, [.observers, .drops, .failures, .warnings]),
            (.warning, [.drops, .failures, .warnings]), (.error, [.failures, .warnings]), (.critical, []),
        ] as [(Logger.Level, MonitorInterests)])
    func `the monitor doesn't request events that the logger doesn't log`(
        level: Logger.Level, interests: MonitorInterests
    ) {
        #expect(LoggingMonitor(logger(level)).interests == interests)
    }

    @Test func `events without a level aren't requested, but warnings are requested if recoveries have a level`() {
        var levels = LoggingMonitor.Levels()
        (levels.deliveries, levels.drops, levels.failures, levels.retries) = (nil, nil, nil, nil)
        #expect(
            LoggingMonitor(logger(), levels: levels).interests == [.observers, .posts, .durations, .warnings])
        (levels.posts, levels.warnings) = (nil, nil)
        #expect(LoggingMonitor(logger(.debug), levels: levels).interests == [.observers, .warnings])
        levels.recoveries = nil
        #expect(LoggingMonitor(logger(.debug), levels: levels).interests == .observers)
    }

    @Test func `a monitor attached for all events follows later changes of the handler's level`() {
        let levels = ReceivedValues<Logger.Level>()
        levels.append(.info)
        let logger = Logger(label: "LoggingMonitorTests") { _ in ChangingHandler(shared: handler, levels: levels) }
        let attachment = center.attach(LoggingMonitor(logger), interests: .everything)
        center.post(Cleared())
        #expect(handler.entries.isEmpty)
        levels.append(.trace)
        center.post(Cleared())
        #expect(handler.entries.map { "\($0.message)" } == ["notification posted"])
        withExtendedLifetime(attachment) {}
    }

    @Test func `levels can be chosen, and events below the logger's level aren't logged`() {
        var levels = LoggingMonitor.Levels()
        levels.posts = .info
        levels.observers = nil
        let attachments = [
            center.attach(LoggingMonitor(logger(), levels: levels)), center.attach(LoggingMonitor(logger(.critical))),
        ]
        let token = center.addObserver(for: Cleared.self) { _ in }
        center.post(Cleared())
        token.cancel()
        #expect(handler.entries.map(\.level) == [.trace, .info])
        #expect(handler.entries.first?.metadata["tidings.delivery"] == "in_post")
        withExtendedLifetime(attachments) {}
    }
}
