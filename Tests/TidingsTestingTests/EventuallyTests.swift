import Foundation
import TestSupport
import Testing
import TidingsTesting

@testable import Tidings

@Suite(.timeLimit(.minutes(2))) struct EventuallyTests {
    @Test func `a condition is evaluated until it holds`() async {
        var evaluations = 0
        let holds = await eventually("the hundredth evaluation") {
            evaluations += 1
            return evaluations == 100
        }
        #expect(holds && evaluations == 100)
    }

    @Test func `if a condition doesn't hold in time, the test fails, and the report names the condition`() async {
        await withKnownIssue {
            let holds = await eventually("the impossible", within: .zero) { false }
            #expect(!holds)
        } matching: {
            $0.comments.contains { $0.rawValue == "Not within 0.0 seconds: the impossible." }
        }
    }

    @Test func `if a value isn't as expected in time, the test fails, and the report shows the value`() async {
        await withKnownIssue {
            let isThree = await eventually("three are counted", within: .zero, { 2 }, until: { $0 == 3 })
            #expect(!isThree)
        } matching: {
            $0.comments.contains { $0.rawValue.hasSuffix("three are counted. The last value was 2.") }
        }
    }

    @Test func `if a function doesn't return in time, the test fails, and the report names the function`() async {
        let gate = Gate()
        await withKnownIssue {
            let hasReturned = await returns("the wait", within: .zero) { await gate.wait() }
            #expect(!hasReturned)
        } matching: {
            $0.comments.contains { $0.rawValue.hasSuffix("the wait returns.") }
        }
        gate.open()
        #expect(await returns("the wait") { await gate.wait() })
    }

    @Test func `a wait at a gate ends when its task is cancelled, so that a time limit can end a test`() async {
        let gate = Gate()
        let waiting = Task { await gate.wait() }
        waiting.cancel()
        await waiting.value
        #expect(!gate.isOpen)
    }

    @Test func `an error that the condition throws ends the wait`() async {
        struct Refused: Error {}
        await #expect(throws: Refused.self) { try await eventually("nothing") { throw Refused() } }
    }

    @Test(.offThePool) func `with offThePool, a blocked thread doesn't block other tasks of the test`() async {
        let (begun, release) = (Gate(), DispatchSemaphore(value: 0))
        await withTaskGroup { group in
            group.addTask {
                begun.open()
                release.wait()
            }
            await begun.wait()
            group.addTask { release.signal() }
        }
    }

    @Test func `the number of tests that run at a time is limited`() {
        let width = ProcessInfo.processInfo.environment["SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH"]
        #expect(width.flatMap(Int.init).map { $0 > 0 } == true)
    }
}
