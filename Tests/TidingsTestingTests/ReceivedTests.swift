import TestSupport
import Testing
import Tidings
import TidingsTesting

@Suite(.timeLimit(.minutes(2))) struct ReceivedTests {
    private let recorder = RecordingNotificationCenter()
    private let received = ReceivedValues<Int>()

    @Test func `received values are in the order in which the observers received them`() async {
        #expect(received.values.isEmpty)
        let tokens = [
            recorder.addObserver(for: Saved.self) { [received] note in received.append(note.id) },
            recorder.addObserver(on: .task, for: Saved.self) { [received] note in received.append(-note.id) },
        ]
        recorder.gate.close()
        for id in 1...2 { recorder.post(Saved(id: id)) }
        #expect(received.values == [1, 2])
        await recorder.gate.open()
        #expect(received.values == [1, 2, -1, -2])
        #expect(received.count == 4)
        withExtendedLifetime(tokens) {}
    }

    @Test func `a wait for a number of values ends when the last of them arrives`() async {
        await received.wait(for: 0)
        let order = ReceivedValues<String>()
        let tasks = [3, 1].map { count in
            Task { [received] in
                await received.wait(for: count)
                order.append("\(count) of \(received.count)")
            }
        }
        await eventually("two tasks wait", { received.waitingCount }, until: { $0 >= 2 })
        received.append(7)
        await tasks[1].value
        received.append(8)
        #expect(received.waitingCount == 1)
        received.append(9)
        await tasks[0].value
        #expect(order.values == ["1 of 1", "3 of 3"])
        await received.wait(for: 3)
    }

    @Test func `cancelling a task ends its wait for values, even if it is cancelled before the wait`() async {
        let waiting = Task { [received] in await received.wait(for: 1) }
        await eventually("a task waits", { received.waitingCount }, until: { $0 != 0 })
        waiting.cancel()
        await waiting.value
        #expect(received.waitingCount == 0)
        await Task { [received] in
            cancelCurrentTask()
            await received.wait(for: 1)
        }.value
        received.append(1)
    }

    @Test func `values appended by concurrent tasks are all recorded, each once`() async {
        await withTaskGroup { group in
            for task in 0..<4 {
                group.addTask { [received] in for number in 0..<1_000 { received.append(task * 1_000 + number) } }
            }
            await received.wait(for: 4_000)
        }
        #expect(received.values.sorted() == Array(0..<4_000))
    }
}
