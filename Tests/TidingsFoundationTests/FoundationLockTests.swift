#if os(Linux)
    import Foundation
    import Testing
    import TidingsFoundation

    private struct Ping: TypedNotification { static let name = "FoundationLockTests.Ping" }
    private struct Pong: TypedNotification { static let name = "FoundationLockTests.Pong" }

    private final class Download: Sendable {}
    private struct Ended: NotificationCenter.AsyncMessage { typealias Subject = Download }

    private final class AtTheEnd: Sendable {
        private let act: @Sendable () -> Void
        init(_ act: @escaping @Sendable () -> Void) { self.act = act }
        deinit { act() }
    }

    /// While Foundation holds the center's lock, releases the object that `make` returned. Only an observer's block,
    /// which Foundation releases under the lock, retains the object.
    private func releaseUnderLock(of center: NotificationCenter, _ make: () -> any Sendable) {
        func observe() -> any NSObjectProtocol {
            let held = make()
            return center.addObserver(forName: Notification.Name("FoundationLockTests"), object: nil, queue: nil) { _ in
                withExtendedLifetime(held) {}
            }
        }
        center.removeObserver(observe())
    }

    private func race(
        _ count: Int, _ first: @escaping @Sendable () -> Void, _ second: @escaping @Sendable () -> Void
    ) async {
        async let one: Void = onThread { for _ in 0..<count { first() } }
        async let other: Void = onThread { for _ in 0..<count { second() } }
        _ = await (one, other)
    }

    /// Foundation holds a lock while it adds, removes or releases a block. On Linux, Foundation traps if a thread that
    /// holds the lock acquires it again, or if several threads wait for each other's locks. A trap ends the process, so
    /// each test runs in its own process.
    @Suite(.serialized, .timeLimit(.minutes(2))) struct FoundationLockTests {
        @Test func `releasing a block can end an observation of another center while observers are registered`() async {
            await #expect(processExitsWith: .success) {
                let (a, b) = (NotificationCenter(), NotificationCenter())
                await race(
                    3_000,
                    { releaseUnderLock(of: a) { b.addObserver(for: Pong.self) { _ in } } },
                    { a.addObserver(for: Ping.self) { _ in }.cancel() })
            }
        }

        @Test func `releasing a block can end an observation of the block's own center`() async {
            await #expect(processExitsWith: .success) {
                let center = NotificationCenter()
                releaseUnderLock(of: center) { center.addObserver(for: Ping.self) { _ in } }
                center.post(Ping())
                center.addObserver(for: Ping.self) { _ in }.cancel()
            }
        }

        @Test func `releasing a block of each of two centers can end an observation of the other center`() async {
            await #expect(processExitsWith: .success) {
                let (a, b) = (NotificationCenter(), NotificationCenter())
                await race(
                    3_000,
                    { releaseUnderLock(of: a) { b.addObserver(for: Ping.self) { _ in } } },
                    { releaseUnderLock(of: b) { a.addObserver(for: Ping.self) { _ in } } })
            }
        }

        @Test func `releasing a block can end an observation of messages on the block's own center`() async {
            await #expect(processExitsWith: .success) {
                let center = NotificationCenter()
                for _ in 0..<1_000 {
                    releaseUnderLock(of: center) { center.addObserver(for: MessageNotification<Ended>.self) { _ in } }
                }
                center.post(Ended())
            }
        }

        @Test func `releasing a block can release another center together with a token of that center`() async {
            await #expect(processExitsWith: .success) {
                for _ in 0..<100 {
                    let center = NotificationCenter()
                    let (token, other) = (center.addObserver(for: Ping.self) { _ in }, NotificationCenter())
                    releaseUnderLock(of: other) { [center] in AtTheEnd { withExtendedLifetime((center, token)) {} } }
                }
            }
        }

        @Test
        func `releasing a block can add an observer to another center while threads add and call observers there`()
            async
        {
            await #expect(processExitsWith: .success) {
                let (a, b) = (NotificationCenter(), NotificationCenter())
                await race(
                    3_000,
                    { releaseUnderLock(of: a) { AtTheEnd { b.addObserver(for: Ping.self) { _ in }.cancel() } } },
                    {
                        b.addObserver(for: Ping.self) { _ in a.addObserver(for: Ping.self) { _ in }.cancel() }.cancel()
                        b.post(Ping())
                        a.post(Ping())
                    })
            }
        }

        @Test
        func `releasing a block can add an observer to the block's center for a name that is already observed`() async {
            await #expect(processExitsWith: .success) {
                let center = NotificationCenter()
                let token = center.addObserver(for: Ping.self) { _ in }
                releaseUnderLock(of: center) { AtTheEnd { center.addObserver(for: Ping.self) { _ in }.cancel() } }
                if center.post(Ping()) != 1 { exit(2) }
                withExtendedLifetime(token) {}
            }
        }

        @Test func `an observer can release blocks during a post`() async {
            await #expect(processExitsWith: .success) {
                let (a, b) = (NotificationCenter(), NotificationCenter())
                let token = a.addObserver(for: Ping.self) { _ in
                    releaseUnderLock(of: a) { a.addObserver(for: Ping.self) { _ in } }
                    releaseUnderLock(of: a) { b.addObserver(for: Ping.self) { _ in } }
                    releaseUnderLock(of: b) { a.addObserver(for: Pong.self) { _ in } }
                }
                await race(500, { a.post(Ping()) }, { b.addObserver(for: Ping.self) { _ in }.cancel() })
                withExtendedLifetime(token) {}
            }
        }
    }
#endif
