import TestSupport
import Testing
import TidingsTesting

@testable import Tidings
@testable import TidingsEngine

private struct Changed: TypedNotification {}

extension StoppedActor {
    fileprivate func drain(_ token: NotificationToken, _ done: Gate) async {
        // This code is a job of the actor's executor, and so is each later step of the drain.
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

/// The waits of `cancelAndDrain()`, with a post that the test simulates step by step.
///
/// To simulate a store that is delayed in a store buffer, a test makes the store later: during the fence, which empties
/// the buffers, or during the wait if there is no fence.
@Suite(.offThePool) struct DrainTests {
    /// A post that has claimed its lane, and announces calls of an observer that was cancelled just before.
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

        /// Ends the call, and then checks whether to notify a drain, like a post whose store isn't delayed.
        func endCall() {
            announce(0)
            if isDrained { channel.callEnded() }
        }

        /// Ends the post.
        ///
        /// - Returns: Whether the lane was marked.
        @discardableResult
        func endPost() -> Bool {
            let isMarked = !lane.leave(channel.name)
            if isMarked { channel.leaveMarked(lane) }
            return isMarked
        }

        /// Whether a post that loads the chunk's live word has to notify a drain.
        var isDrained: Bool {
            // The token keeps the chunk alive.
            unsafe entry.chunk.header.pointee.live.load(ordering: .sequentiallyConsistent) & Chunk.drainBit != 0
        }

        /// Drains the observer in a task. Returns a gate that opens when the drain has returned.
        func drain(_ fence: ProcessFence = .system) -> Gate {
            let done = Gate()
            Task {
                await channel.drain(entry, fence: fence)
                done.open()
            }
            return done
        }

        var isAnyWaiting: Bool { channel.withState { $0.drains.drains.values.contains { $0.continuation != nil } } }

        /// Waits until the drain has checked the lanes, and is waiting for a call or has returned.
        func looked(_ done: Gate) async {
            await eventually("a drain waits or has returned") { done.isOpen || isAnyWaiting }
        }
    }

    @Test func `a drain waits for the announced call, and for no other`() async throws {
        let setting = try await Setting()
        setting.announce(setting.entry.address)
        let done = Gate()
        let actor = StoppedActor()
        let task = Task { [token = setting.token] in await actor.drain(token, done) }
        // The drain first registers, so that posts notify it, and then checks the lanes.
        await actor.executor.runNext()
        await actor.executor.run(until: { setting.isAnyWaiting })
        #expect(!done.isOpen)
        // Simulates that another call has ended, so its post checks the waiting drains.
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
                // A post that loads the live word after the fence finds that it has to notify a drain.
                #expect(setting.isDrained)
                setting.announce(setting.entry.address)
            })
        await setting.looked(done)
        #expect(!done.isOpen)
        setting.endCall()
        await done.wait()
        #expect(!setting.isDrained)
        // The drain hasn't marked the lane of the post, so it waited only for the call.
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

    @Test func `without a fence, a drain that misses the end of a call returns when the post ends`()
        async throws
    {
        let setting = try await Setting()
        setting.announce(setting.entry.address)
        let done = setting.drain(.none {})
        await setting.looked(done)
        #expect(!done.isOpen)
        // Simulates a post that checked for drains before the end of its call was visible, and so notified nobody.
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
        // The thread sanitizer detects a race unless the drain establishes an order, because all other accesses are
        // relaxed.
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

    @Test func `posts report the ends of calls for as long as there is a drain`() async throws {
        let setting = try await Setting()
        var drains = Drains()
        let (first, second) = (drains.begin(setting.entry), drains.begin(setting.entry))
        #expect(setting.isDrained)
        drains.end(second)
        #expect(setting.isDrained)
        drains.end(first)
        #expect(!setting.isDrained)
        setting.endPost()
        withExtendedLifetime(setting) {}
    }

    @Test func `when one drain ends, posts don't miss another drain at any moment`() async throws {
        let center = NativeNotificationCenter()
        let token = center.addObserver(for: Changed.self) { _ in }
        let found =
            unsafe (center.channels.channel(Changed.self)
            as Unmanaged<TypedChannel<Changed, Changed.Sender>>?)?.takeUnretainedValue()
        let entry = try #require(found?.everyone.liveEntries().first)
        var drains = Drains()
        _ = drains.begin(entry)
        let over = Flag()
        let gaps = await withTaskGroup { group in
            // Simulates a post that loads the live word repeatedly.
            group.addTask {
                var gaps = 0
                while !over.isSet.load(ordering: .relaxed) {
                    // The token keeps the chunk alive.
                    let live = unsafe entry.chunk.header.pointee.live.load(ordering: .sequentiallyConsistent)
                    if live & Chunk.drainBit == 0 { gaps += 1 }
                }
                return gaps
            }
            for _ in 0..<20_000 { drains.end(drains.begin(entry)) }
            over.isSet.store(true, ordering: .relaxed)
            return await group.next() ?? 0
        }
        #expect(gaps == 0)
        withExtendedLifetime(token) {}
    }
}
