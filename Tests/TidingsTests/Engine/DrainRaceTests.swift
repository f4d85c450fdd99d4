import Synchronization
import TestSupport
import Testing

@testable import Tidings
@testable import TidingsEngine

private struct Changed: TypedNotification {}

/// Memory that is in no cache: stores to it keep a processor's store buffer full for microseconds.
@safe
private final class ColdMemory: @unchecked Sendable {  // one post at a time stores to it
    private static let pages = 1 << 15
    private static let pageSize = 4096

    // Freed in `deinit`.
    private let base = UnsafeMutableRawPointer.allocate(byteCount: pages * pageSize, alignment: pageSize)
    private var next = 0

    init() {
        // Each page is touched, so that a store waits for memory and not for the operating system.
        for page in 0..<ColdMemory.pages { store(to: page) }
    }

    deinit { unsafe base.deallocate() }

    /// Stores to a hundred lines on as many pages, and waits for none of the stores.
    func fillStoreBuffer() {
        for number in next..<next + 110 { store(to: number) }
        next += 110
    }

    private func store(to number: Int) {
        // Scattered over the pages, and over the lines of a page.
        let page = (number &* 40503) & (ColdMemory.pages - 1)
        let place = page * ColdMemory.pageSize + (number &* 37 % 62) * 64
        // Within the memory, aligned, and used for nothing but integers.
        unsafe (base + place).assumingMemoryBound(to: Int.self).pointee = number
    }
}

/// What the thread that posts and the task that drains tell each other.
private final class Signals: Sendable {
    /// The post is about to fill the store buffer.
    let isFilling = Atomic(false)
    /// The drain has returned.
    let hasReturned = Atomic(false)
    /// The observer was running although the drain had returned.
    let isOverlooked = Atomic(false)

    func waitForFilling(andThen delay: Int) {
        while !isFilling.load(ordering: .relaxed) {}
        for _ in 0..<delay { _ = isFilling.load(ordering: .relaxed) }
    }
}

/// Drains that look for calls while the announcements of posts wait in store buffers.
@Suite(.serialized) struct DrainRaceTests {
    static let rounds = 6_000

    @Test func `no call is running when a drain has returned, although its announcement was in a store buffer`() async {
        let memory = ColdMemory()
        let center = NativeNotificationCenter()
        let current = Lock(Signals())
        let before = center.addObserver(for: Changed.self) { _ in
            current.withLock { $0 }.isFilling.store(true, ordering: .relaxed)
            memory.fillStoreBuffer()
        }
        var overlooked = 0
        for round in 0..<DrainRaceTests.rounds {
            let signals = Signals()
            current.withLock { $0 = signals }
            let token = center.addObserver(for: Changed.self) { _ in
                // For some microseconds: longer than the drain needs to return.
                for _ in 0..<5_000 where signals.hasReturned.load(ordering: .relaxed) {
                    signals.isOverlooked.store(true, ordering: .relaxed)
                    break
                }
            }
            async let post: Void = onOwnThread { center.post(Changed()) }
            signals.waitForFilling(andThen: round % 256 * 8)
            await token.cancelAndDrain()
            signals.hasReturned.store(true, ordering: .sequentiallyConsistent)
            await post
            if signals.isOverlooked.load(ordering: .sequentiallyConsistent) { overlooked += 1 }
        }
        #expect(overlooked == 0)
        withExtendedLifetime(before) {}
    }

    @Test func `no drain waits for a call that has ended, although its end was in a store buffer`() async throws {
        let memory = ColdMemory()
        let center = NativeNotificationCenter()
        center.addObserver(for: Changed.self) { _ in }.cancel()
        // The center keeps the channel, and is kept by the test.
        let found =
            unsafe (center.channels.channel(Changed.self)
            as Unmanaged<TypedChannel<Changed, Changed.Sender>>?)?.takeUnretainedValue()
        let channel = try #require(found)
        var forgotten = 0
        for round in 0..<DrainRaceTests.rounds {
            let signals = Signals()
            let token = center.addObserver(for: Changed.self) { _ in
                signals.isFilling.store(true, ordering: .relaxed)
                memory.fillStoreBuffer()
            }
            async let post: Void = onOwnThread { center.post(Changed()) }
            async let drain: Void = {
                signals.waitForFilling(andThen: round % 256 * 8)
                await token.cancelAndDrain()
            }()
            await post
            // The only post has ended, so no drain may be waiting any more. One that is would wait for ever.
            let waiting = channel.withState { $0.takeEndedDrains(in: channel) }
            for continuation in waiting { continuation.resume() }
            forgotten += waiting.count
            await drain
        }
        #expect(forgotten == 0)
    }
}
