import TestSupport
import Testing
import TidingsEngine

@testable import Tidings

@Suite(.timeLimit(.minutes(2))) struct LoadTrendTests {
    private let center = NativeNotificationCenter()

    /// Makes one check per second. For each check, `waiting` contains the length of the observer's queue, and `busy`
    /// contains the total time of its calls.
    private func warnings(
        _ observer: ObserverDescription, waiting: [Int], busy: [Duration] = [], clock isMeasured: Bool = true
    ) -> [ObserverWarning] {
        var trend = LoadTrend()
        return waiting.enumerated().flatMap { second, count in
            var calls = CallStatus()
            calls.busy = busy.isEmpty ? .zero : busy[second]
            let call = CallUnderWay(observer, QueueStatus(queued: count, isRunning: true, calls: calls))
            return trend.note(
                [call].compactMap(\.self), at: .seconds(second), every: .seconds(1), isMeasured: isMeasured)
        }
    }

    @MainActor private func observer(_ delivery: DeliveryMode) throws -> ObserverDescription {
        let token =
            delivery == .mainActor
            ? center.addObserver(on: .main, for: Numbered.self) { _ in }
            : center.addObserver(on: .task, for: Numbered.self) { _ in }
        defer { token.cancel() }
        return try #require(center.observations.first).observer
    }

    @MainActor @Test
    func `a queue that grows at each check causes one warning, and a queue that sometimes shrinks causes none`() throws
    {
        let observer = try observer(.task)
        let grown = warnings(observer, waiting: Array(stride(from: 5, through: 50, by: 5)))
        #expect(grown.count == 1)
        guard case .growingQueue(_, let growth, let duration, let waiting) = grown.first else {
            Issue.record("there was no warning about a queue that grows")
            return
        }
        #expect(growth == 25 && duration == .seconds(5) && waiting == 30)
        #expect(warnings(observer, waiting: [5, 10, 15, 20, 19, 25, 30, 35, 40, 39, 45]).isEmpty)
        #expect(warnings(observer, waiting: [1, 2, 3, 4, 5, 6, 7, 8, 9]).isEmpty)
        #expect(warnings(observer, waiting: Array(repeating: 500, count: 20)).isEmpty)
        // A queue that was empty and grows again causes another warning.
        #expect(
            warnings(
                observer,
                waiting: Array(stride(from: 5, through: 50, by: 5)) + [0] + Array(stride(from: 5, through: 50, by: 5))
            ).count == 2)
    }

    @MainActor @Test
    func `a main actor that is always busy causes one warning, and a main actor with pauses causes none`()
        throws
    {
        let observer = try observer(.mainActor)
        let always = (0..<10).map { Duration.milliseconds(950 * $0) }
        let full = warnings(observer, waiting: Array(repeating: 1, count: 10), busy: always)
        #expect(full.count == 1)
        guard case .busyMainActor(_, let share, let duration) = full.first else {
            Issue.record("there was no warning about a busy main actor")
            return
        }
        #expect(share > 0.94 && share < 0.96 && duration == .seconds(4))
        let half = (0..<10).map { Duration.milliseconds(500 * $0) }
        #expect(warnings(observer, waiting: Array(repeating: 1, count: 10), busy: half).isEmpty)
        // If the checks don't use the clock that measures calls, the share of busy time isn't known.
        #expect(warnings(observer, waiting: Array(repeating: 1, count: 10), busy: always, clock: false).isEmpty)
        #expect(warnings(try self.observer(.task), waiting: Array(repeating: 1, count: 10), busy: always).isEmpty)
    }

    @MainActor @Test func `the warning about a busy main actor names the observer whose calls take the most time`()
        throws
    {
        let tokens = (1...3).map { line in center.addObserver(on: .main, for: Numbered.self, line: line) { _ in } }
        let observers = center.observations.map(\.observer)
        var trend = LoadTrend()
        let warnings = (0..<10).flatMap { second in
            let calls = zip(observers, [200, 500, 250]).compactMap { observer, milliseconds in
                var status = CallStatus()
                status.busy = .milliseconds(milliseconds * second)
                return CallUnderWay(observer, QueueStatus(isRunning: true, calls: status))
            }
            return trend.note(calls, at: .seconds(second), every: .seconds(1), isMeasured: true)
        }
        #expect(warnings.map(\.observer.place.line) == [2])
        guard case .busyMainActor(_, let share, _) = warnings.first else {
            Issue.record("there was no warning that names the busiest observer")
            return
        }
        #expect(share > 0.49 && share < 0.51)
        withExtendedLifetime(tokens) {}
    }

    @Test func `an observer is listed once, even if its center begins to finish during the read`() async {
        let reads: [(NativeNotificationCenter) -> Int] = [{ $0.callsUnderWay.count }, { $0.allQueues.count }]
        for read in reads {
            let (center, begun, go) = (NativeNotificationCenter(), Gate(), Gate())
            // The read detects that the owner of an observer below was deallocated. This monitor then receives the end
            // of that observation.
            let monitor = RecordingMonitor { [weak center] event in
                guard case .ended = event, let center else { return }
                for channel in center.channels.all() { channel.finish {} }
            }
            let attachment = center.attach(monitor, interests: .observers)
            let token = center.addObserver(on: .task, for: Numbered.self) { _ in
                begun.open()
                await go.wait()
            }
            center.post(Numbered(number: 1))
            await begun.wait()
            do {
                let owner = Account()
                center.addObserver(owner, for: Numbered.self) { _, _ in }
                withExtendedLifetime(owner) {}
            }
            let count = read(center)
            #expect(count == 1)
            let haveFinished = center.channels.all().allSatisfy { $0.hasFinished }
            #expect(haveFinished)
            go.open()
            withExtendedLifetime((attachment, token)) {}
        }
    }
}
