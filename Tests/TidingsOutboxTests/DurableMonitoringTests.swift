import TestSupport
import Testing
import Tidings
import TidingsOutbox
import TidingsTesting

/// Handles one notification each time the test calls ``goOn()``.
private actor Clerk {
    private(set) var begun = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var isOpen = false

    func handle() async {
        begun += 1
        if !isOpen { await withCheckedContinuation { waiting.append($0) } }
    }

    func goOn() {
        if !waiting.isEmpty { waiting.removeFirst().resume() }
    }

    func open() {
        isOpen = true
        while !waiting.isEmpty { goOn() }
    }
}

private final class Warnings: NotificationMonitor {
    let interests = MonitorInterests.warnings
    let all = ReceivedValues<ObserverWarning>()

    func receive(_ event: NotificationEvent) {
        if case .warning(let warning) = event { all.append(warning) }
    }

    var words: [String] {
        all.values.map { warning in
            "\(warning.description.prefix { $0 != ":" }): \(warning.observer.label)"
        }
    }
}

@Suite(.timeLimit(.minutes(2))) struct DurableMonitoringTests {
    private let center = NativeNotificationCenter()
    private let clock = ManualClock()
    private let warnings = Warnings()
    private let clerks = (Clerk(), Clerk())

    /// Opens an outbox and registers two durable observers in the same source line.
    private func open() async throws -> NotificationOutbox<InMemoryOutboxStore> {
        let outbox = try await NotificationOutbox(InMemoryOutboxStore(), of: center, options: .quick)
        for (clerk, name) in [(clerks.0, "stock"), (clerks.1, "mails")] {
            outbox.addObserver(clerk, named: name, on: .actor, for: Placed.self) { me, _ in await me.handle() }
        }
        return outbox
    }

    private func look() async {
        await clock.waitForSleepers()
        clock.advance(by: .milliseconds(2500))
        await clock.waitForSleepers()
    }

    @Test func `a durable observer is listed by name until it ends, even if one line registers several observers`()
        async throws
    {
        let outbox = try await open()
        let observers = center.observations.map(\.observer)
        #expect(Set(observers.map(\.label)) == ["stock", "mails"])
        #expect(observers.allSatisfy { "\($0)".contains("named \"\($0.label)\"") })
        await outbox.finish(within: .seconds(600))
        // When the observers have ended, the center releases their names, so their labels change.
        await eventually("the observers have ended") {
            !observers.contains(where: { ["stock", "mails"].contains($0.label) })
        }
    }

    @Test func `a drain of the center doesn't wait for the durable observer that drains it`() async throws {
        let outbox = try await NotificationOutbox(InMemoryOutboxStore(), of: center, options: .quick)
        let drained = ReceivedValues<Int>()
        let token = outbox.addObserver(named: "drainer", on: .task, for: Placed.self) { [center] note in
            await center.drain()
            drained.append(note.number)
        }
        try outbox.post(Placed(number: 1))
        if await returns("the drain", { await drained.wait(for: 1) }) {
            await eventually("the post is handled", { outbox.runningObservers.map(\.handled) }, until: { $0 == [1] })
        }
        token.cancel()
        await outbox.finish(within: .zero)
    }

    @Test func `a warning about a hanging observer has the observer's name, and a busy observer causes no warning`()
        async throws
    {
        let attachment = center.attach(warnings, thresholds: WarningThresholds(waiting: nil), clock: clock)
        let outbox = try await open()
        for number in 1...20 { try outbox.post(Placed(number: number)) }
        // At each check, the first clerk is in a new call, and the second clerk is still in its first call.
        for number in 1...12 {
            await eventually(
                "the first clerk has begun the next notification", { await clerks.0.begun }, until: { $0 >= number })
            await eventually("the second clerk has begun", { await clerks.1.begun }, until: { $0 >= 1 })
            await look()
            await clerks.0.goOn()
        }
        #expect(!warnings.words.isEmpty)
        #expect(warnings.words.allSatisfy { $0.hasPrefix("a call has been running for") && $0.hasSuffix("mails") })
        await clerks.0.open()
        await clerks.1.open()
        await outbox.finish(within: .seconds(600))
        withExtendedLifetime(attachment) {}
    }

    @Test func `a warning about a long backlog is repeated when the backlog doubles, and its recovery is reported`()
        async throws
    {
        let attachment = center.attach(warnings, thresholds: WarningThresholds(waiting: 10), clock: clock)
        let outbox = try await open()
        await clerks.1.open()
        for number in 1...15 { try outbox.post(Placed(number: number)) }
        await eventually("the first clerk has begun", { await clerks.0.begun }, until: { $0 >= 1 })
        await eventually("the second clerk has begun fifteen times", { await clerks.1.begun }, until: { $0 >= 15 })
        await eventually("nothing is queued for the mails observer") {
            !center.observations.contains(where: { $0.observer.label == "mails" && $0.queued > 0 })
        }
        await look()
        #expect(warnings.words == ["15 notifications wait for an observer: stock"])
        await look()
        #expect(warnings.words.count == 1)
        for number in 16...40 { try outbox.post(Placed(number: number)) }
        await eventually("the second clerk has begun forty times", { await clerks.1.begun }, until: { $0 >= 40 })
        await eventually("nothing is queued for the mails observer") {
            !center.observations.contains(where: { $0.observer.label == "mails" && $0.queued > 0 })
        }
        await eventually("two warnings are reported") {
            if warnings.words.count >= 2 { return true }
            await look()
            return false
        }
        #expect(warnings.words.dropFirst().first == "40 notifications wait for an observer: stock")
        await clerks.0.open()
        await eventually("the queue has recovered") {
            clock.advance(by: .milliseconds(2500))
            return warnings.words.contains(
                "the queue of an observer, which held up to 40 notifications, has recovered: stock")
        }
        await outbox.finish(within: .seconds(600))
        withExtendedLifetime(attachment) {}
    }
}
