import Synchronization
import TestSupport
import Testing
import TidingsTesting

@testable import Tidings
@testable import TidingsEngine

private struct Changed: TypedNotification {}

extension StoppedActor {
    fileprivate func drain(_ token: NotificationToken, _ done: Gate) async {
        // What is called in the actor is in its executor's hands from here on.
        preconditionIsolated()
        await token.cancelAndDrain()
        done.open()
    }
}

private final class Flag: Sendable {
    let isSet = Atomic(false)
}

/// The waits of `cancelAndDrain()`, with a post that is played by the test, step by step.
@Suite struct DrainTests {
    /// A post that has claimed its lane, and announces the call of an observer.
    private struct Setting {
        let center = NativeNotificationCenter()
        let token: NotificationToken
        let channel: Channel
        let lane: Lane
        let entry: Entry

        init() async throws {
            token = center.addObserver(for: Changed.self) { _ in }
            // The center keeps the channel, and is kept by the test.
            let found =
                unsafe (center.channels.channel(Changed.self)
                as Unmanaged<TypedChannel<Changed, Changed.Sender>>?)?.takeUnretainedValue()
            channel = try #require(found)
            var claimed = channel.lanes.claim(channel.name)
            // Other tests may have all lanes for a moment.
            while claimed == nil {
                await Task.yield()
                claimed = channel.lanes.claim(channel.name)
            }
            lane = try #require(claimed)
            entry = try #require(channel.everyone.liveEntries().first)
            announce(entry.address)
        }

        func announce(_ address: UInt) {
            lane.announce(address)
        }

        /// Whether a post that looks at the entry's chunk finds that somebody drains it.
        var isDrained: Bool {
            // The token keeps the chunk.
            unsafe entry.chunk.header.pointee.live.load(ordering: .sequentiallyConsistent) & Chunk.isDrained != 0
        }
    }

    @Test(.timeLimit(.minutes(20)))
    func `a drain waits for the call that was announced, and for no other`() async throws {
        let setting = try await Setting()
        let done = Gate()
        let actor = StoppedActor()
        let task = Task { [token = setting.token] in await actor.drain(token, done) }
        // The drain asks to be told, and then looks.
        await actor.executor.runNext()
        await actor.executor.runNext()
        actor.executor.runPending()
        #expect(!done.isOpen)
        // Another call has ended, whose post looks who waits.
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
        if !setting.lane.leave(setting.channel.name) { setting.channel.leaveMarked(setting.lane) }
        withExtendedLifetime(setting) {}
    }

    @Test func `posts are asked to tell for as long as there is a drain`() async throws {
        let setting = try await Setting()
        var drains = Drains()
        let (first, second) = (drains.begin(setting.entry), drains.begin(setting.entry))
        #expect(setting.isDrained)
        drains.end(second)
        #expect(setting.isDrained)
        drains.end(first)
        #expect(!setting.isDrained)
        if !setting.lane.leave(setting.channel.name) { setting.channel.leaveMarked(setting.lane) }
        withExtendedLifetime(setting) {}
    }

    @Test func `a drain that ends leaves no moment in which posts do not see another one`() async throws {
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
            // Plays a post, which looks at the chunk again and again.
            group.addTask {
                var gaps = 0
                while !over.isSet.load(ordering: .relaxed) {
                    // The token keeps the chunk.
                    let live = unsafe entry.chunk.header.pointee.live.load(ordering: .sequentiallyConsistent)
                    if live & Chunk.isDrained == 0 { gaps += 1 }
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
