import CTidingsSystem
import TestSupport
import Testing
import TidingsTesting

@testable import Tidings
@testable import TidingsEngine

private final class Source: Sendable {}
private struct Changed: TypedNotification {
    let sender: Source
}

/// The engine frees a cancelled observer when the posts that may call it have ended. A lane records a running post. A
/// thread's home lane is the first lane that it tries. The tests simulate the posts of other threads.
@Suite(.timeLimit(.minutes(2))) struct LaneTests {
    private struct Setting {
        let center = NativeNotificationCenter()
        let channel: Channel
        private var tokens: [NotificationToken?] = []
        private var captures: [Capture] = []

        private struct Capture {
            weak let object: Source?
        }

        init(observers: Int) throws {
            // Creates the channel.
            center.addObserver(for: Changed.self) { _ in }.cancel()
            for _ in 0..<observers {
                let object = Source()
                captures.append(Capture(object: object))
                tokens.append(center.addObserver(for: Changed.self) { _ in withExtendedLifetime(object) {} })
            }
            // The center keeps the channel alive, and the test keeps the center alive.
            let found =
                unsafe (center.channels.channel(Changed.self)
                as Unmanaged<TypedChannel<Changed, Changed.Sender>>?)?.takeUnretainedValue()
            channel = try #require(found)
        }

        var alive: [Bool] { captures.map { $0.object != nil } }

        mutating func cancel(_ number: Int) { tokens[number] = nil }

        func beginPost() async -> Lane {
            while true {
                let numbers = ReceivedValues<Int>()
                await onOwnThread { [channel] in
                    guard let lane = channel.lanes.claim(channel.name) else { return }
                    for number in 0..<Lanes.capacity where unsafe channel.lanes.lane(number).address == lane.address {
                        numbers.append(number)
                    }
                }
                if let number = numbers.values.first { return channel.lanes.lane(number) }
                // Other tests may have taken all lanes for a moment.
                await Task.yield()
            }
        }

        func endPost(in lane: Lane) {
            if !lane.leave(channel.name) { channel.leaveMarked(lane) }
        }
    }

    @Test func `an observer that is cancelled while another thread posts is freed when that post ends, not before`()
        async throws
    {
        var setting = try Setting(observers: 3)
        let lane = await setting.beginPost()
        // The first cancel marks the lane. The second one finds the lane marked.
        setting.cancel(0)
        setting.cancel(1)
        #expect(setting.alive == [true, true, true])
        setting.endPost(in: lane)
        #expect(setting.alive == [false, false, true])
        setting.cancel(2)
        #expect(setting.alive == [false, false, false])
    }

    @Test func `an observer that is cancelled while several threads post is freed when the last of these posts ends`()
        async throws
    {
        var setting = try Setting(observers: 2)
        let first = await setting.beginPost()
        let second = await setting.beginPost()
        setting.cancel(0)
        setting.endPost(in: first)
        #expect(setting.alive == [true, true])
        let third = await setting.beginPost()
        setting.endPost(in: second)
        #expect(setting.alive == [false, true])
        setting.cancel(1)
        #expect(setting.alive == [false, true])
        setting.endPost(in: third)
        #expect(setting.alive == [false, false])
    }

    @Test func `memory that a post cannot free because the lock is held is freed by the holder of the lock`()
        async throws
    {
        var setting = try Setting(observers: 1)
        let lane = await setting.beginPost()
        setting.cancel(0)
        let ending = setting
        ending.channel.withState { _ in
            ending.endPost(in: lane)
            #expect(ending.alive == [true])
        }
        #expect(setting.alive == [false])
    }

    @Test func `a post of another type doesn't delay the release of a cancelled observer`() async throws {
        var setting = try Setting(observers: 1)
        let other = try Setting(observers: 1)
        let lane = await other.beginPost()
        setting.cancel(0)
        #expect(setting.alive == [false])
        other.endPost(in: lane)
    }

    @Test func `later threads get the home lanes of ended threads, and no two running threads share a home lane`() {
        let homes = LaneHomes(areGivenBack: true)
        for _ in 0..<10 {
            let acquired = (0..<Lanes.capacity).map { _ in homes.acquire() }
            #expect(Set(acquired).count == Lanes.capacity)
            for home in acquired { homes.release(home) }
        }
    }

    @Test
    func
        `without reports of ended threads, 64 consecutive threads have different home lanes, the first 16 far apart`()
    {
        let homes = LaneHomes(areGivenBack: false)
        var acquired = (0..<1_000).map { _ in homes.acquire() }
        while acquired.count >= Lanes.capacity {
            #expect(Set(acquired.suffix(Lanes.capacity)).count == Lanes.capacity)
            acquired.removeLast()
        }
        #expect(Set(acquired.prefix(16)) == Set(stride(from: 0, to: Lanes.capacity, by: 4)))
    }

    @Test func `a thread keeps its first home lane`() async throws {
        let setting = try Setting(observers: 0)
        let homes = ReceivedValues<UInt>()
        await onOwnThread { [center = setting.center] in
            for _ in 0..<2 {
                center.addObserver(for: Changed.self) { _ in homes.append(tidings_home()) }.cancel()
                let token = center.addObserver(for: Changed.self) { _ in homes.append(tidings_home()) }
                center.post(Changed(sender: Source()))
                withExtendedLifetime(token) {}
            }
        }
        let values = homes.values
        #expect(values.count == 2 && values.first != 0 && Set(values).count == 1)
    }

    @Test func `when all observers have ended, posts do no more work than before the first one was added`() throws {
        let setting = try Setting(observers: 0)
        let (center, source) = (setting.center, Source())
        let flags = setting.channel.everyone.flags
        for sender in [nil, source] {
            center.addObserver(source, for: Changed.self, sender: sender) { _, _ in }.cancel()
            center.addObserver(Keeper(), on: .actor, for: Changed.self, sender: sender) { _, _ in }.cancel()
            _ = center.notifications(of: Changed.self, sender: sender)
            center.addObserver(for: Changed.self, sender: sender) { _ in }.cancel()
        }
        #expect(center.post(Changed(sender: source)) == 0)
        #expect(setting.channel.everyone.flags == flags)
    }
}

private actor Keeper {}
