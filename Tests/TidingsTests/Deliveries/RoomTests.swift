import TestSupport
import Testing
import Tidings
import TidingsTesting

private struct FromTill: TypedNotification {
    let sender: Till
    var number = 0
}

private final class Till: Sendable {}

@Suite(.timeLimit(.minutes(2))) struct RoomTests {
    private let center = NativeNotificationCenter()
    private let clock = ManualClock()
    private let tokens = Tokens()

    private func observe(
        upTo limit: Int, _ go: Gate, where condition: (@Sendable (Numbered) -> Bool)? = nil
    ) -> ReceivedValues<Int> {
        let calls = ReceivedValues<Int>()
        tokens.append(
            center.addObserver(on: .task, for: Numbered.self, where: condition, buffering: .backPressure(limit)) {
                note in
                calls.append(note.number)
                await go.wait()
            })
        return calls
    }

    private func posting(_ number: Int, within limit: Duration? = nil) -> Task<Int, any Error> {
        Task { [center, clock] in
            try await center.postWaitingForRoom(Numbered(number: number), within: limit, clock: clock)
        }
    }

    /// Fills the queue during a call of the observer, so that the next post has to wait for room.
    private func fill(_ calls: ReceivedValues<Int>, upTo limit: Int) async throws {
        try await center.postWaitingForRoom(Numbered(number: 0))
        await calls.wait(for: 1)
        for number in 0..<limit { try await center.postWaitingForRoom(Numbered(number: number + 1)) }
    }

    @Test func `a poster waits while the queue is full, and posts when there is room`() async throws {
        let go = Gate()
        let calls = observe(upTo: 2, go)
        try await fill(calls, upTo: 2)
        let (done, poster) = (ReceivedValues<Int>(), posting(3, within: .seconds(600)))
        let later = Task { done.append(try await poster.value) }
        await clock.waitForSleepers()
        #expect(done.count == 0 && center.observations[0].queued == 2)
        go.open()
        #expect(try await poster.value == 1)
        try await later.value
        await calls.wait(for: 4)
        #expect(calls.values == [0, 1, 2, 3] && clock.sleepers == 0)
    }

    @Test func `many posters never overfill a queue, and the posts of each poster stay in order`() async throws {
        let (most, calls) = (ReceivedValues<Int>(), ReceivedValues<Int>())
        tokens.append(
            center.addObserver(on: .task, for: Numbered.self, buffering: .backPressure(4)) { [center] note in
                most.append(center.observations[0].queued)
                await Task.yield()
                calls.append(note.number)
            })
        try await withThrowingTaskGroup { group in
            for poster in 0..<8 {
                group.addTask { [center] in
                    for number in 0..<200 {
                        try await center.postWaitingForRoom(Numbered(number: poster * 1_000 + number))
                    }
                }
            }
            try await group.waitForAll()
        }
        await calls.wait(for: 1_600)
        #expect((most.values.max() ?? 0) <= 4)
        for poster in 0..<8 {
            #expect(calls.values.filter { $0 / 1_000 == poster } == (0..<200).map { poster * 1_000 + $0 })
        }
    }

    @Test func `a post that does not wait succeeds even if the queue is full, and nothing is dropped`() async throws {
        let go = Gate()
        let calls = observe(upTo: 1, go)
        for number in 0..<100 { center.post(Numbered(number: number)) }
        #expect(tokens.all[0].droppedCount == 0)
        go.open()
        await calls.wait(for: 100)
        #expect(calls.values == Array(0..<100))
    }

    @Test func `cancelling a task that waits for room ends the wait, and nothing is posted`() async throws {
        let go = Gate()
        let calls = observe(upTo: 1, go)
        try await fill(calls, upTo: 1)
        let poster = posting(9, within: .seconds(600))
        await clock.waitForSleepers()
        poster.cancel()
        await #expect(throws: CancellationError.self) { try await poster.value }
        let early = Task { [center] in
            cancelCurrentTask()
            return try await center.postWaitingForRoom(Numbered(number: 8))
        }
        await #expect(throws: CancellationError.self) { try await early.value }
        go.open()
        #expect(await center.drain(within: .seconds(600)).isEmpty)
        #expect(calls.values == [0, 1])
    }

    @Test func `when the time limit passes, the error names the observer, and nothing was posted`() async throws {
        let go = Gate()
        let calls = observe(upTo: 1, go)
        try await fill(calls, upTo: 1)
        let poster = posting(9, within: .seconds(2))
        await clock.waitForSleepers()
        clock.advance(by: .seconds(2))
        let error = await #expect(throws: NoRoomError.self) { try await poster.value }
        let observer = try #require(error?.observer)
        #expect(observer.subject.type == Numbered.self && observer.delivery == .task)
        let text = "nothing was posted, because a queue had no room within the time limit: \(observer)"
        #expect(error.map { "\($0)" } == text)
        go.open()
        // The poster that timed out reserved no room, so the next one can post.
        try await center.postWaitingForRoom(Numbered(number: 2), within: .seconds(600))
        #expect(await center.drain(within: .seconds(600)).isEmpty)
        #expect(calls.values == [0, 1, 2])
    }

    @Test(arguments: [true, false])
    func `a wait for room ends when the observation or the center ends`(finishes: Bool) async throws {
        let go = Gate()
        let calls = observe(upTo: 1, go)
        try await fill(calls, upTo: 1)
        let poster = posting(9, within: .seconds(600))
        await clock.waitForSleepers()
        if finishes { await center.finish(within: .zero) } else { tokens.all[0].cancel() }
        #expect(try await poster.value == 0)
        go.open()
        withExtendedLifetime(calls) {}
    }

    @Test func `an observer that posts into its own full queue does not wait for itself`() async throws {
        let calls = ReceivedValues<Int>()
        tokens.append(
            center.addObserver(on: .task, for: Numbered.self, buffering: .backPressure(1)) { [center] note in
                calls.append(note.number)
                if note.number == 0 {
                    for number in 1...3 { try await center.postWaitingForRoom(Numbered(number: number)) }
                }
            })
        center.post(Numbered(number: 0))
        await calls.wait(for: 4)
        #expect(calls.values == [0, 1, 2, 3])
    }

    @Test func `two observers that fill each other's queues both make progress`() async throws {
        let (calls, second) = (ReceivedValues<Int>(), NativeNotificationCenter())
        for (here, there) in [(center, second), (second, center)] {
            tokens.append(
                here.addObserver(on: .task, for: Numbered.self, buffering: .backPressure(1)) { note in
                    calls.append(note.number)
                    guard note.number > 0 else { return }
                    for _ in 0..<3 { try await there.postWaitingForRoom(Numbered(number: note.number - 1)) }
                })
        }
        center.post(Numbered(number: 4))
        second.post(Numbered(number: 4))
        await calls.wait(for: 2 * (1 + 3 + 9 + 27 + 81))
        #expect(calls.count == 242)
    }

    @Test
    func `a poster does not wait for observers with another sender, a rejecting condition or another policy`()
        async throws
    {
        let (go, mine, other) = (Gate(), Till(), Till())
        let calls = ReceivedValues<Int>()
        tokens.append(
            center.addObserver(on: .task, for: FromTill.self, sender: mine, buffering: .backPressure(1)) { note in
                calls.append(note.number)
                await go.wait()
            })
        tokens.append(
            center.addObserver(
                on: .task, for: FromTill.self, where: { $0.number < 0 }, buffering: .backPressure(1)
            ) { _ in await go.wait() })
        tokens.append(center.addObserver(on: .task, for: FromTill.self, buffering: .latest(1)) { _ in await go.wait() })
        for number in 0..<3 { center.post(FromTill(sender: mine, number: number)) }
        for number in -3 ..< -1 { center.post(FromTill(sender: other, number: number)) }
        #expect(try await center.postWaitingForRoom(FromTill(sender: other)) == 1)
        let poster = Task { [center, clock] in
            try await center.postWaitingForRoom(FromTill(sender: mine), within: .seconds(1), clock: clock)
        }
        await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        await #expect(throws: NoRoomError.self) { try await poster.value }
        go.open()
    }

    @Test func `a poster does not wait for a full sequence whose condition rejects the notification`() async throws {
        let notes = center.notifications(of: Numbered.self, where: { $0.number < 0 }, buffering: .backPressure(1))
        center.post(Numbered(number: -1))
        #expect(try await center.postWaitingForRoom(Numbered(number: 1), within: .zero) == 0)
        await #expect(throws: NoRoomError.self) {
            try await center.postWaitingForRoom(Numbered(number: -2), within: .zero)
        }
        withExtendedLifetime(notes) {}
    }

    @Test func `a sequence releases its condition when its center finishes, even while the sequence is kept`() async {
        final class Captured: Sendable {}
        weak var captured: Captured?
        let notes = {
            let object = Captured()
            captured = object
            return center.notifications(
                of: Numbered.self, where: { [object] note in withExtendedLifetime(object) { note.number > 0 } },
                buffering: .backPressure(1))
        }()
        #expect(captured != nil)
        await center.finish(within: .zero)
        #expect(captured == nil)
        withExtendedLifetime(notes) {}
    }

    @Test func `a consumer makes room for a waiting poster by reading from a full sequence`() async throws {
        let notes = center.notifications(of: Numbered.self, buffering: .backPressure(2))
        let poster = Task { [center] in
            for number in 0..<100 { try await center.postWaitingForRoom(Numbered(number: number)) }
        }
        var numbers: [Int] = []
        for await note in notes {
            #expect(center.observations[0].queued <= 2)
            numbers.append(note.number)
            if numbers.count == 100 { break }
        }
        #expect(numbers == Array(0..<100))
        try await poster.value
    }

    @Test func `forwarding and recording centers wait like the underlying center`() async throws {
        let go = Gate()
        let calls = observe(upTo: 1, go)
        try await fill(calls, upTo: 1)
        for forwarding: any TypedNotificationCenter in [
            ForwardingCenter(to: center), RecordingNotificationCenter(forwardingTo: center),
        ] {
            await #expect(throws: NoRoomError.self) {
                try await forwarding.postWaitingForRoom(Numbered(number: 1), within: .zero)
            }
        }
        go.open()
    }
}
