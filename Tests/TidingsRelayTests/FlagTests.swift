import TestSupport
import Testing
import TidingsTesting
import TidingsWire

@Suite(.timeLimit(.minutes(2))) struct FlagTests {
    @Test func `all waiting tasks continue when the flag is set, and a cancelled task stops waiting`() async {
        let (flag, ended) = (Flag(), ReceivedValues<Int>())
        let tasks = (0..<10).map { number in
            Task {
                await flag.wait()
                ended.append(number)
            }
        }
        // Gives most of the tasks time to start waiting.
        for _ in 0..<100 { await Task.yield() }
        for task in tasks[..<3] { task.cancel() }
        await eventually("the cancelled tasks have stopped waiting", { Set(ended.values) }, until: { $0 == [0, 1, 2] })
        #expect(flag.set())
        await eventually("all tasks have stopped waiting", { ended.count }, until: { $0 == 10 })
        #expect(Set(ended.values) == Set(0..<10) && !flag.set())
    }
}
