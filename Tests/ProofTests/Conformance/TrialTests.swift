import Testing
import Tidings

@testable import TidingsConformance

@Suite(.timeLimit(.minutes(2))) struct TrialTests {
    private let trial = Trial(patience: .zero, asynchronously: PackageObserving()) { NativeNotificationCenter() }

    @Test func `a wait goes on while the number changes, however short the patience is`() async {
        var number = 0
        await trial.eventually(
            "all were counted",
            {
                number += 1
                return number
            }, reaches: 1000)
        #expect(number == 1000 && trial.violations.isEmpty)
    }

    @Test func `a wait for a number that doesn't change any more is a violation`() async {
        await trial.eventually("all were counted", { 999 }, reaches: 1000)
        #expect(trial.violations == ["did not happen: all were counted"])
    }
}
