import Testing

@testable import TidingsRelay

@Suite struct StreamPausesTests {
    /// Holds the pauses by reference, because an expectation can't call mutating methods of a value.
    private final class Pauses {
        private(set) var all = StreamPauses()

        func begin(_ reason: StreamPauses.Reason, at now: Duration) -> Bool { all.begin("S", reason, at: now) }
        func end() -> Bool { all.end("S") }
        func takeDue(at now: Duration) -> [String] { all.takeDue(at: now) }
        func takeExpired(after time: Duration, at now: Duration) -> [String] { all.takeExpired(after: time, at: now) }
        func isMissing(at now: Duration) -> Bool { all.isMissing("S", patience: .seconds(60), at: now) }
    }

    private let pauses = Pauses()

    @Test func `rejections of messages that were in flight at the same time start one pause`() {
        #expect(pauses.begin(.full, at: .zero))
        for _ in 0..<100 { #expect(!pauses.begin(.full, at: .milliseconds(100))) }
        #expect(pauses.takeDue(at: .milliseconds(249)) == [])
        #expect(pauses.takeDue(at: .milliseconds(250)) == ["S"])
    }

    @Test
    func `the pauses of a full stream double up to ten seconds, and the pauses of an absent stream stay the same`() {
        for (reason, expected) in [
            (StreamPauses.Reason.full, [250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000]),
            (.absent, [250, 250, 250]),
        ] {
            var now = Duration.zero
            for length in expected {
                _ = pauses.begin(reason, at: now)
                #expect(pauses.takeDue(at: now + .milliseconds(length - 1)) == [])
                now += .milliseconds(length)
                #expect(pauses.takeDue(at: now) == ["S"])
                #expect(pauses.takeDue(at: now) == [])
            }
            #expect(pauses.end() && pauses.all.isEmpty)
        }
    }

    @Test func `only the answer to a test message ends a stream's pause`() {
        #expect(pauses.begin(.full, at: .zero))
        #expect(!pauses.end() && pauses.all.isPaused("S") && pauses.all.isWaiting("S"))
        #expect(pauses.takeDue(at: .seconds(1)) == ["S"])
        #expect(!pauses.all.isWaiting("S"))
        #expect(pauses.end() && !pauses.all.isPaused("S"))
    }

    @Test func `a rejection for another reason starts a separate pause`() {
        #expect(pauses.begin(.absent, at: .zero))
        #expect(pauses.takeDue(at: .seconds(1)) == ["S"])
        #expect(pauses.begin(.full, at: .seconds(1)))
        #expect(pauses.takeExpired(after: .seconds(2), at: .seconds(2)) == [])
        #expect(pauses.takeExpired(after: .seconds(2), at: .seconds(3)) == ["S"])
        #expect(pauses.all.isEmpty)
    }

    @Test func `an absent stream is reported missing repeatedly, at the interval set by patience`() {
        #expect(pauses.begin(.absent, at: .zero))
        #expect(!pauses.isMissing(at: .seconds(59)))
        #expect(pauses.isMissing(at: .seconds(60)))
        #expect(!pauses.isMissing(at: .seconds(119)))
        #expect(pauses.isMissing(at: .seconds(120)))
    }
}
