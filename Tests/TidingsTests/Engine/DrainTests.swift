import TestSupport
import Testing
import TidingsTesting

@testable import Tidings
@testable import TidingsEngine

private struct Changed: TypedNotification {}

extension StoppedActor {
    fileprivate func drain(_ token: NotificationToken, _ done: Gate) async {
        // Each step of the drain is a job of the actor's executor, so the test can run the steps separately.
        preconditionIsolated()
        await token.cancelAndDrain()
        done.open()
    }
}

private final class Cell: @unchecked Sendable {  // a drain orders the accesses
    var value = 0
}

private final class Flag: Sendable {
    let isSet = AtomicByte(false)
}

extension ProcessFence {
    fileprivate static func during(_ step: @escaping @Sendable () -> Void) -> ProcessFence {
        ProcessFence {
            step()
            return true
        } outlastStoreBuffers: {
        }
    }

    /// A fence that fails, as on a system without fences. The closure runs while the drain waits for the store buffers.
    fileprivate static func none(outlasting step: @escaping @Sendable () async -> Void) -> ProcessFence {
        ProcessFence(make: { false }, outlastStoreBuffers: step)
    }
}

/// Tests the waits of `cancelAndDrain()` with a simulated post. A lane is a slot in which a post announces its current
/// call.
///
/// To simulate a store that is delayed in a store buffer, a test makes the store during the fence, which empties the
/// buffers. If there is no fence, the test makes the store during the wait.
@Suite(.offThePool) struct DrainTests {
    private struct Setting: @unchecked Sendable {  // a lane is only accessed atomically
        let center = NativeNotificationCenter()
        let token: NotificationToken
        let channel: Channel
        let lane: Lane
        let entry: Entry

        init() async throws {
            token = center.addObserver(for: Changed.self) { _ in }
            // The center keeps the channel alive, and the test keeps the center alive.
            let found =
                unsafe (center.channels.channel(Changed.self)
                as Unmanaged<TypedChannel<Changed, Changed.Sender>>?)?.takeUnretainedValue()
            let channel = try #require(found)
            self.channel = channel
            entry = try #require(channel.everyone.liveEntries().first)
            // The observer is cancelled before the post begins, so the cancellation doesn't mark the post's lane.
            token.cancel()
            var claimed = channel.lanes.claim(channel.name)
            // Other tests may have taken all lanes for a moment.
            await eventually("a lane is free") {
                if claimed == nil { claimed = channel.lanes.claim(channel.name) }
                return claimed != nil
            }
            lane = try #require(claimed)
        }

        func announce(_ address: UInt) {
            lane.announce(address)
        }

        /// Ends the call like a post whose store isn't delayed.
        func endCall() {
            announce(0)
            if isDrained { channel.callEnded() }
        }

        /// Ends the post. Returns whether a cancellation had marked the post's lane.
        @discardableResult
        func endPost() -> Bool {
            let isMarked = !lane.leave(channel.name)
            if isMarked { channel.leaveMarked(lane) }
            return isMarked
        }

        /// Whether the drain bit in the memory chunk of the observer's entry is set, so that posts notify a drain.
        var isDrained: Bool {
            // The token keeps the chunk alive.
            unsafe entry.chunk.header.pointee.live.load(ordering: .sequentiallyConsistent) & Chunk.drainBit != 0
        }

        /// Returns a gate that opens when the drain has returned.
        func drain(_ fence: ProcessFence = .system) -> Gate {
            let done = Gate()
            Task {
                await channel.drain(entry, fence: fence)
                done.open()
            }
            return done
        }

        var isAnyWaiting: Bool { channel.withState { $0.drains.isAnyWaiting } }

        func looked(_ done: Gate) async {
            await eventually("a drain waits or has returned") { done.isOpen || isAnyWaiting }
        }
    }

    @Test func `a drain waits for the call of its observer, and for no other call`() async throws {
        let setting = try await Setting()
        setting.announce(setting.entry.address)
        let done = Gate()
        let actor = StoppedActor()
        let task = Task { [token = setting.token] in await actor.drain(token, done) }
        // The drain first registers, so that posts notify it, and then checks the lanes.
        await actor.executor.runNext()
        await actor.executor.run(until: { setting.isAnyWaiting })
        #expect(!done.isOpen)
        // Simulates a post that ends another call, and then checks the waiting drains.
        setting.channel.callEnded()
        actor.executor.runPending()
        for _ in 0..<100 { await Task.yield() }
        actor.executor.runPending()
        #expect(!done.isOpen)
        setting.announce(setting.entry.address + 16)
        #expect(setting.isDrained)
        setting.channel.callEnded()
        await actor.executor.run { done.isOpen }
        await task.value
        #expect(!setting.isDrained)
        setting.endPost()
        withExtendedLifetime(setting) {}
    }

    @Test func `a drain waits for a call whose announcement is visible only after a fence`() async throws {
        let setting = try await Setting()
        let done = setting.drain(
            .during {
                // From now on, a post that loads the drain bit has to notify the drain.
                #expect(setting.isDrained)
                setting.announce(setting.entry.address)
            })
        await setting.looked(done)
        #expect(!done.isOpen)
        setting.endCall()
        await done.wait()
        #expect(!setting.isDrained)
        // No cancellation marked the post's lane, so the drain waited only for the call, not for the end of the post.
        #expect(!setting.endPost())
    }

    @Test func `a drain does not wait for a call whose end is visible only after a fence`() async throws {
        let setting = try await Setting()
        setting.announce(setting.entry.address)
        let done = setting.drain(.during { setting.announce(0) })
        await setting.looked(done)
        #expect(!setting.isAnyWaiting)
        setting.endCall()
        await done.wait()
        #expect(!setting.isDrained)
        #expect(!setting.endPost())
    }

    @Test func `a drain executes no fence if no post is in progress`() async throws {
        let setting = try await Setting()
        setting.endPost()
        let fences = ReceivedValues<Bool>()
        let done = setting.drain(
            ProcessFence {
                fences.append(true)
                return true
            } outlastStoreBuffers: {
            })
        await done.wait()
        #expect(fences.values.isEmpty)
    }

    @Test func `without a fence, a drain waits for a call whose announcement is visible late`() async throws {
        let setting = try await Setting()
        let done = setting.drain(.none { setting.announce(setting.entry.address) })
        await setting.looked(done)
        #expect(!done.isOpen)
        setting.endCall()
        await done.wait()
        #expect(setting.endPost())
    }

    @Test func `if a drain without a fence misses the end of a call, it returns when the post ends`() async throws {
        let setting = try await Setting()
        setting.announce(setting.entry.address)
        let done = setting.drain(.none {})
        await setting.looked(done)
        #expect(!done.isOpen)
        // Simulates a post that checks for drains before the end of its call is visible. The post notifies nobody.
        setting.announce(0)
        #expect(setting.endPost())
        #expect(!setting.isAnyWaiting)
        setting.channel.callEnded()
        await done.wait()
        #expect(!setting.isDrained)
    }

    @Test func `without a fence, a drain returns, whether or not its task is cancelled`() async throws {
        let setting = try await Setting()
        let fence = ProcessFence(make: { false }, outlastStoreBuffers: ProcessFence.system.outlastStoreBuffers)
        await setting.drain(fence).wait()
        let drain = Task { await setting.channel.drain(setting.entry, fence: fence) }
        drain.cancel()
        await drain.value
        #expect(!setting.isDrained)
        #expect(setting.endPost())
    }

    @Test func `everything that a call wrote is visible when its drain has returned`() async {
        // Only the drain orders the accesses to the cell, because the flags are relaxed. If the drain didn't order
        // them, the thread sanitizer would report a race.
        let center = NativeNotificationCenter()
        let cell = Cell()
        let (isCalled, isReleased) = (Flag(), Flag())
        let first = center.addObserver(for: Changed.self) { _ in cell.value += 1 }
        let second = center.addObserver(for: Changed.self) { _ in
            isCalled.isSet.store(true, ordering: .relaxed)
            while !isReleased.isSet.load(ordering: .relaxed) {}
        }
        async let post: Void = onOwnThread { center.post(Changed()) }
        await eventually("the observer is called") { isCalled.isSet.load(ordering: .relaxed) }
        await first.cancelAndDrain()
        cell.value += 1
        isReleased.isSet.store(true, ordering: .relaxed)
        await post
        #expect(cell.value == 2)
        withExtendedLifetime(second) {}
    }

    @Test func `posts report the ends of calls until the last drain has ended`() async throws {
        let setting = try await Setting()
        var drains = Drains()
        for _ in 1...2 { drains.begin(setting.entry) }
        #expect(setting.isDrained)
        drains.end(setting.entry)
        #expect(setting.isDrained)
        drains.end(setting.entry)
        #expect(!setting.isDrained)
        setting.endPost()
        withExtendedLifetime(setting) {}
    }

    @Test func `while one drain ends, posts never miss another drain`() async throws {
        let center = NativeNotificationCenter()
        let token = center.addObserver(for: Changed.self) { _ in }
        let found =
            unsafe (center.channels.channel(Changed.self)
            as Unmanaged<TypedChannel<Changed, Changed.Sender>>?)?.takeUnretainedValue()
        let entry = try #require(found?.everyone.liveEntries().first)
        var drains = Drains()
        drains.begin(entry)
        let over = Flag()
        let gaps = await withTaskGroup { group in
            group.addTask {
                var gaps = 0
                while !over.isSet.load(ordering: .relaxed) {
                    // The token keeps the chunk alive.
                    let live = unsafe entry.chunk.header.pointee.live.load(ordering: .sequentiallyConsistent)
                    if live & Chunk.drainBit == 0 { gaps += 1 }
                }
                return gaps
            }
            for _ in 0..<20_000 {
                drains.begin(entry)
                drains.end(entry)
            }
            over.isSet.store(true, ordering: .relaxed)
            return await group.next() ?? 0
        }
        #expect(gaps == 0)
        withExtendedLifetime(token) {}
    }
}
