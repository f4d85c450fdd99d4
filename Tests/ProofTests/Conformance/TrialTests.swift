import Testing
import Tidings

@testable import TidingsConformance

@Suite(.timeLimit(.minutes(2))) struct TrialTests {
    private let trial = Trial(patience: .zero, asynchronously: PackageObserving()) { NativeNotificationCenter() }

    @Test func `eventually(_:_:reaches:) waits while the number changes, even if the patience is zero`() async {
        var number = 0
        await trial.eventually(
            "all were counted",
            {
                number += 1
                return number
            }, reaches: 1000)
        #expect(number == 1000 && trial.violations.isEmpty)
    }

    @Test func `a number that stops changing before it reaches its goal is a violation`() async {
        await trial.eventually("all were counted", { 999 }, reaches: 1000)
        #expect(trial.violations == ["did not happen: all were counted"])
    }

    @Test func `a patience of any length is accepted`() async {
        let trial = Trial(patience: .seconds(Int64.max), asynchronously: PackageObserving()) {
            NativeNotificationCenter()
        }
        let gate = Gate()
        async let waiting: Void = trial.wait(for: gate, "the gate was opened")
        await letOthersRun()
        gate.open()
        await waiting
        #expect(trial.violations.isEmpty)
    }

    @Test func `a sequence that doesn't end is a violation, even while it returns notifications`() async {
        let trial = Trial(patience: .milliseconds(100), asynchronously: PackageObserving()) {
            NativeNotificationCenter()
        }
        let center = trial.center
        let notes = center.notifications(of: Ping.self)
        let posting = Task {
            while !Task.isCancelled {
                center.post(Ping(number: 1))
                await Task.yield()
            }
        }
        await trial.read(from: notes, "the sequence ended")
        posting.cancel()
        await posting.value
        #expect(trial.violations == ["did not happen: the sequence ended"])
    }
}
