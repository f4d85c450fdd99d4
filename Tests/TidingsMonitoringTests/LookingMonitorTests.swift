import TestSupport
import Testing
import Tidings
import TidingsTesting

private final class Looker: LookingMonitor {
    let interests: MonitorInterests = .warnings
    /// For each check, the source lines of the observers that have a running call or queued notifications.
    let lines = ReceivedValues<[UInt]>()

    func receive(_ event: NotificationEvent) {}
    func look(at calls: [CallUnderWay], by attachment: ObjectIdentifier) {
        lines.append(calls.map(\.observer.place.line))
    }
}

private final class Supervisor: LookingMonitor {
    let interests: MonitorInterests = .warnings
    let intervals = ReceivedValues<Duration>()
    let progress = ReceivedValues<@Sendable () -> CheckProgress?>()

    func receive(_ event: NotificationEvent) {}
    func checksBegan(
        by attachment: ObjectIdentifier, every interval: Duration,
        _ progress: @escaping @Sendable () -> CheckProgress?
    ) {
        intervals.append(interval)
        self.progress.append(progress)
    }
}

@Suite(.timeLimit(.minutes(2))) struct LookingMonitorTests {
    private let center = NativeNotificationCenter()
    private let actor = StoppedActor()

    private var isIdle: Bool { center.observations.allSatisfy { !$0.isRunning && $0.queued == 0 } }

    @Test func `each check reports the observers with running calls or queued notifications, or an empty list`() async {
        let (looker, clock) = (Looker(), ManualClock())
        let attachment = center.attach(looker, clock: clock)
        center.addObserver(actor, on: .actor, for: Numbered.self, line: 7) { _, _ in }
        let token = center.addObserver(for: Numbered.self, line: 8) { _ in }
        center.post(Numbered(number: 1))
        for check in 1...2 {
            await clock.waitForSleepers()
            clock.advance(by: .milliseconds(2500))
            await looker.lines.wait(for: check)
        }
        await actor.executor.finish { isIdle }
        await clock.waitForSleepers()
        clock.advance(by: .milliseconds(2500))
        await looker.lines.wait(for: 3)
        #expect(looker.lines.values == [[7], [7], []])
        withExtendedLifetime((attachment, token)) {}
    }

    @Test(arguments: [Duration.zero, .seconds(-1)])
    func `checks go on and cause warnings even if the threshold for calls isn't positive`(call: Duration) async {
        let (monitor, clock) = (RecordingMonitor(keepsWhatTakesLong: true), ManualClock())
        let attachment = center.attach(
            monitor, interests: .warnings, thresholds: WarningThresholds(call: call), clock: clock)
        center.addObserver(actor, on: .actor, for: Numbered.self) { _, _ in }
        center.post(Numbered(number: 1))
        for _ in 1...2 {
            await clock.waitForSleepers()
            clock.advance(by: .seconds(1))
        }
        await clock.waitForSleepers()
        #expect(monitor.warnings.count == 1)
        await actor.executor.finish { isIdle }
        withExtendedLifetime(attachment) {}
    }

    @Test func `a monitor that is detached receives an empty list of running calls`() async {
        let (looker, clock) = (Looker(), ManualClock())
        let attachment = center.attach(looker, clock: clock)
        center.addObserver(actor, on: .actor, for: Numbered.self, line: 7) { _, _ in }
        center.post(Numbered(number: 1))
        await clock.waitForSleepers()
        attachment.detach()
        #expect(looker.lines.values == [[]])
        await actor.executor.finish { isIdle }
    }

    @Test func `with the continuous clock, the monitor is informed when checks begin, and can read their progress`()
        async throws
    {
        let (supervisor, looker) = (Supervisor(), Looker())
        // With this threshold, checks are made every millisecond.
        let thresholds = WarningThresholds(call: .milliseconds(4))
        let attachments = [
            center.attach(supervisor, thresholds: thresholds), center.attach(looker, thresholds: thresholds),
        ]
        center.addObserver(actor, on: .actor, for: Numbered.self, line: 7) { _, _ in }
        #expect(supervisor.progress.count == 0)
        center.post(Numbered(number: 1))
        #expect(supervisor.intervals.values == [.milliseconds(1)])
        let progress = try #require(supervisor.progress.values.first)
        let first = try #require(progress()).last
        #expect(progress()?.calls().map(\.observer.place.line) == [7])
        await eventually("another check is made") { progress().map { $0.last > first } == true }
        await looker.lines.wait(for: 1)
        #expect(looker.lines.values.first == [7])
        await actor.executor.finish { isIdle }
        await eventually("the checks have ended") { progress() == nil }
        // Checks begin again with the next notification that isn't handled at once.
        let (begun, go) = (Gate(), Gate())
        let token = center.addObserver(on: .task, for: Numbered.self) { _ in
            begun.open()
            await go.wait()
        }
        center.post(Numbered(number: 2))
        await begun.wait()
        await supervisor.progress.wait(for: 2)
        #expect(supervisor.progress.values.last?() != nil)
        attachments[0].detach()
        #expect(supervisor.progress.values.last?() == nil)
        go.open()
        await token.cancelAndDrain()
        withExtendedLifetime(attachments) {}
    }

    @Test func `if a post begins while the checks end, they continue, and the monitor is informed again`() async {
        let supervisor = Supervisor()
        let reads = Lock(0)
        let thresholds = WarningThresholds(call: .milliseconds(4))
        let attached = AttachedMonitor(supervisor, nil, samplingInterval: 1, thresholds, ContinuousClock())
        // A post is running when the monitor is attached. At the first check, no post is running. The next post begins
        // while the checks end.
        let attachment = MonitorAttachment(
            attached, to: Monitoring(),
            hasPosts: {
                reads.withLock { reads in
                    reads += 1
                    return reads != 2
                }
            }, refresh: { _ in })
        await eventually("the monitor is informed again", { supervisor.progress.count }, until: { $0 == 2 })
        #expect(supervisor.progress.values.last?() != nil)
        attachment.detach()
        #expect(supervisor.progress.values.last?() == nil)
    }
}
