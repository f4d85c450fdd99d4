import TestSupport
import Testing
import TidingsTesting

@testable import TidingsRelay

@Suite(.timeLimit(.minutes(2))) struct SwitchTests {
    @Test func `all who wait go on, and whoever is cancelled does not wait any longer`() async {
        let (lever, ended) = (Switch(), ReceivedValues<Int>())
        let tasks = (0..<10).map { number in
            Task {
                await lever.wait()
                ended.append(number)
            }
        }
        // Most of them wait by then.
        for _ in 0..<100 { await Task.yield() }
        for task in tasks[..<3] { task.cancel() }
        await eventually("the cancelled tasks go on", { Set(ended.values) }, until: { $0 == [0, 1, 2] })
        #expect(lever.turnOn())
        await eventually("all tasks go on", { ended.count }, until: { $0 == 10 })
        #expect(Set(ended.values) == Set(0..<10) && !lever.turnOn())
    }
}
