import TestSupport
import Testing
import TidingsTesting

@testable import Tidings

private struct Refused: Error, CustomTidingsDescription {
    var tidingsDescription: String { "a refusal" }
}

@Suite(.timeLimit(.minutes(2))) struct RepeatedErrorTests {
    private let center = NativeNotificationCenter()
    private let clock = ManualClock()
    private let monitor = RecordingMonitor()

    private func attach() -> (MonitorAttachment, AttachedMonitor) {
        let attached = AttachedMonitor(
            monitor, [.failures, .warnings], samplingInterval: 1, WarningThresholds(call: nil), clock)
        return (center.attach(attached), attached)
    }

    private var words: [String] {
        monitor.warnings.map { String($0.description.prefix { $0 != ":" }) }
    }

    /// Posts `count` notifications, and returns when the observers have thrown the given number of errors in total.
    private func post(_ count: Int, errors: Int) async {
        for number in 0..<count { center.post(Numbered(number: number)) }
        await eventually("the errors are reported", { monitor.failures.count }, until: { $0 == errors })
    }

    @Test func `retried and final errors cause separate warnings, which don't count each kind's first error`() async {
        let (attachment, _) = attach()
        let retry = FailureResponse.retry(after: Array(repeating: .zero, count: 3))
        let token = center.addObserver(on: .task, for: Numbered.self, onFailure: retry) { _ in throw Refused() }
        // Each notification is retried three times. Only the last error isn't followed by a retry.
        await post(2, errors: 8)
        #expect(monitor.failures.map { $0.retry != nil } == [true, true, true, false, true, true, true, false])
        #expect(monitor.failures.map(\.isRepeated) == [false, true, true, false, true, true, true, true])
        #expect(words.isEmpty)
        clock.advance(by: .seconds(1))
        attachment.check()
        await eventually("both warnings are reported", { words.count }, until: { $0 == 2 })
        #expect(
            words == [
                "an observer threw 1 more error, most recently a refusal",
                "an observer threw 5 more errors and will be called again, most recently a refusal",
            ])
        await token.cancelAndDrain()
    }

    @Test func `the timer for the warnings ends after a report, and starts again with the next error`() async {
        let (attachment, attached) = attach()
        let token = center.addObserver(on: .task, for: Numbered.self) { _ in throw Refused() }
        for round in 1...3 {
            await post(3, errors: 3 * round)
            await clock.waitForSleepers()
            clock.advance(by: .seconds(1))
            await eventually("a warning is reported", { words.count }, until: { $0 == round })
            // Nothing happens in the next interval, so the next error counts as a first error again.
            await clock.waitForSleepers()
            clock.advance(by: .seconds(1))
            attachment.check()
        }
        await eventually("the timer has ended") { !attached.repeats.isRunning }
        #expect(words == Array(repeating: "an observer threw 2 more errors, most recently a refusal", count: 3))
        await token.cancelAndDrain()
        withExtendedLifetime(attachment) {}
    }

    @Test func `each warning is a sentence that ends with the observer`() throws {
        let token = center.addObserver(for: Numbered.self) { _ in }
        let observer = try #require(center.observations.first).observer
        let texts: [(ObserverWarning, String)] = [
            (.drops(observer, count: 1, total: 2), "1 more notification was dropped, 2 in all"),
            (.drops(observer, count: 2, total: 3), "2 more notifications were dropped, 3 in all"),
            (
                .failures(observer, count: 2, latest: "Refused"),
                "an observer threw 2 more errors, most recently Refused"
            ),
            (
                .retries(observer, count: 1, latest: "Refused"),
                "an observer threw 1 more error and will be called again, most recently Refused"
            ),
            (
                .reachedNobody(observer, postedAt: nil),
                "a post reached no observer, because the last observer of its type has ended"
            ),
            (
                .growingQueue(observer, by: 25, in: .milliseconds(5000), waiting: 1),
                "the queue of an observer has grown by 25 in 5.0 seconds, and 1 notification waits"
            ),
            (
                .busyMainActor(observer, share: 0.949, duration: .microseconds(4_000_900)),
                "calls of observers have kept the main actor busy for 4.0 seconds, 95 % of that time by one observer"
            ),
        ]
        for (warning, text) in texts {
            #expect("\(warning)" == "\(text): \(observer)")
            #expect(warning.observer.id == observer.id)
        }
        withExtendedLifetime(token) {}
    }
}
