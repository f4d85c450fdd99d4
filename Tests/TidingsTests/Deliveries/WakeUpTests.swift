import TestSupport
import Testing
import TidingsTesting

@testable import Tidings

@Suite(.timeLimit(.minutes(2))) struct WakeUpTests {
    @Test func `if several wake-ups come before a sleep, only that sleep returns at once`() async {
        let (wakeUp, seen) = (WakeUp(), ReceivedValues<String>())
        wakeUp.raise()
        wakeUp.raise()
        await wakeUp.sleep()
        let sleeping = Task {
            await wakeUp.sleep()
            seen.append("awake")
        }
        for _ in 0..<1000 { await Task.yield() }
        seen.append("raised")
        wakeUp.raise()
        await sleeping.value
        #expect(seen.values == ["raised", "awake"])
    }

    @Test func `a task that is cancelled does not sleep`() async {
        let wakeUp = WakeUp()
        await Task {
            cancelCurrentTask()
            await wakeUp.sleep()
        }.value
    }
}
