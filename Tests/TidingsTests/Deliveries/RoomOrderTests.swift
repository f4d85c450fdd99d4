import TestSupport
import Testing
import TidingsTesting

@testable import Tidings

@Suite(.timeLimit(.minutes(2))) struct RoomOrderTests {
    private let center = NativeNotificationCenter()
    private let clock = ManualClock()
    private let tokens = Tokens()

    private func observe(upTo limit: Int, _ go: Gate) -> ReceivedValues<Int> {
        let calls = ReceivedValues<Int>()
        tokens.append(
            center.addObserver(on: .task, for: Numbered.self, buffering: .backPressure(limit)) { note in
                calls.append(note.number)
                await go.wait()
            })
        return calls
    }

    @Test func `a waiting poster is admitted as soon as the observer's calls have made room`() throws {
        let admitted = ReceivedValues<Int>()
        let mailbox = Mailbox<Int>(buffering: .backPressure(1)) { _ in }
        for number in 0..<3 { mailbox.put(number) }
        let claim = RoomClaim.make(in: [mailbox]) { admitted.append(1) }
        var counts: [Int] = []
        // `run` takes the elements out of the queue one after the other.
        while mailbox.run(onFailure: nil, { _ in counts.append(admitted.count) }) {}
        #expect(counts == [0, 0, 1])
        #expect(claim.giveUp() == nil)
    }

    @Test func `posters that wait for the same two observers post in the order in which they began to wait`()
        async throws
    {
        let gates = [Gate(), Gate()]
        let calls = gates.map { observe(upTo: 1, $0) }
        for number in 0..<2 { center.post(Numbered(number: number)) }
        for calls in calls { await calls.wait(for: 1) }
        var posters: [Task<Void, any Error>] = []
        for number in 2..<12 {
            posters.append(
                Task { [center, clock] in
                    try await center.postWaitingForRoom(
                        Numbered(number: number), within: .seconds(600), clock: clock)
                })
            // Each poster is waiting before the next one begins.
            await clock.waitForSleepers(posters.count)
        }
        for gate in gates { gate.open() }
        for poster in posters { try await poster.value }
        #expect(await center.drain(within: .seconds(600)).isEmpty)
        for calls in calls { #expect(calls.values == Array(0..<12)) }
    }

    @Test func `a poster that waits for room in one queue doesn't keep others out of another queue`() {
        let (full, other) = (
            Mailbox<Int>(buffering: .backPressure(1)) { _ in }, Mailbox<Int>(buffering: .backPressure(1)) { _ in }
        )
        full.put(0)
        let admitted = ReceivedValues<Int>()
        let claims = (0..<3).map { number in RoomClaim.make(in: [other, full]) { admitted.append(number) } }
        #expect(RoomClaim.takeAtOnce(in: [other]))
        other.giveRoomBack()
        #expect(admitted.values.isEmpty)
        _ = full.run(onFailure: nil) { _ in }
        #expect(admitted.values == [0])
        for _ in 0..<2 {
            full.giveRoomBack()
            other.giveRoomBack()
        }
        #expect(admitted.values == [0, 1, 2])
        #expect(claims.allSatisfy { $0.giveUp() == nil })
    }

    @Test(arguments: [true, false])
    func `if a poster gives up just as there is room, the next one is admitted`(cancels: Bool) {
        let admitted = ReceivedValues<Int>()
        let mailbox = Mailbox<Int>(buffering: .backPressure(1)) { _ in }
        #expect(RoomClaim.takeAtOnce(in: [mailbox]))
        let claims = (0..<2).map { number in RoomClaim.make(in: [mailbox]) { admitted.append(number) } }
        // The mailbox now has room, and has chosen the first poster, but hasn't resumed it yet.
        let chosen = mailbox.state.withLock { state -> [MailboxState<Int>.Handling] in
            if cancels { return state.cancel().handled }
            state.room?.giveBack()
            return state.admit()
        }
        #expect(claims[0].giveUp() === mailbox)
        mailbox.resume(chosen)
        #expect(admitted.values == [1])
    }

    @Test func `a wait for room that times out removes the poster from the line of waiting posters`() {
        let mailbox = Mailbox<Int>(buffering: .backPressure(1)) { _ in }
        mailbox.put(0)
        weak var last: RoomClaim?
        for _ in 0..<100 {
            let claim = RoomClaim.make(in: [mailbox]) {}
            #expect(claim.giveUp() === mailbox)
            last = claim
        }
        #expect(last == nil && mailbox.state.withLock { $0.room?.next } == nil)
    }

    @Test func `an admitted poster leaves the line in which other posters still wait`() {
        let mailbox = Mailbox<Int>(buffering: .backPressure(1)) { _ in }
        #expect(RoomClaim.takeAtOnce(in: [mailbox]))
        weak var first: RoomClaim?
        for number in 0..<4 {
            let claim = RoomClaim.make(in: [mailbox]) {}
            if number == 0 { first = claim }
        }
        #expect(first != nil)
        mailbox.giveRoomBack()
        #expect(first == nil && mailbox.state.withLock { $0.room?.next } != nil)
        for _ in 1..<4 { mailbox.giveRoomBack() }
        #expect(mailbox.state.withLock { $0.room?.next } == nil)
    }

    @Test func `a drain whose time limit passes leaves no waiter in the observer's queue`() async {
        let go = Gate()
        let calls = ReceivedValues<Int>()
        let mailbox = Mailbox<Int> { mailbox in
            mailbox.takeTurns {
                await mailbox.runUnwaited(isolation: nil, onFailure: nil) { number in
                    calls.append(number)
                    await go.wait()
                }
            }
        }
        mailbox.put(1)
        await calls.wait(for: 1)
        for _ in 0..<10 { #expect(await QueueDrain.drain([mailbox], within: .zero, clock: clock) == [0]) }
        #expect(mailbox.state.withLock { $0.handling.count } == 0)
        go.open()
    }
}
