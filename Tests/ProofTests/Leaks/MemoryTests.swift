#if os(Linux)
    import Foundation
    import TestSupport
    import Testing
    import Tidings

    private struct Ping: TypedNotification {}
    private struct FromSource: TypedNotification { let sender: Source }
    private final class Source: Sendable {}

    private var memory: Int {
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")[1]
        return pages.flatMap { Int($0) }.map { $0 * 4096 } ?? -1
    }

    /// A measurement has twenty parts, and each part makes a fifth of this number of repetitions. The limit for memory
    /// growth is per repetition, so a smaller number detects leaks of the same size, too.
    private let count = ProcessInfo.processInfo.environment["TIDINGS_MEMORY_COUNT"].flatMap(Int.init) ?? 50_000

    /// Repeats a closure, and exits with an error if memory grows by more than two bytes per repetition.
    ///
    /// A leak makes memory grow in every part of a measurement. Allocations by other threads make it grow only in some
    /// parts. The measurement therefore has twenty parts, and passes if at least one part meets the limit.
    private func expectNoGrowth(_ count: Int, _ act: (Int) async -> Void) async {
        for number in 0..<min(10_000, count / 10) { await act(number) }
        var growths: [Int] = []
        for _ in 0..<20 {
            let before = memory
            for number in 0..<count / 5 { await act(number) }
            let growth = before > 0 ? memory - before : .max
            if growth <= 2 * count / 5 { return }
            growths.append(growth)
        }
        print("the process has grown by \(growths) bytes")
        exit(1)
    }

    /// Tests that create and release objects tens of thousands of times and expect no growth in memory. Each test runs
    /// in its own process. `TIDINGS_MEMORY_COUNT` sets the number of repetitions.
    @Suite(.serialized, .timeLimit(.ofRandomPrograms)) struct MemoryTests {
        @Test func `observers leak no memory`() async {
            await #expect(processExitsWith: .success) {
                let center = NativeNotificationCenter()
                let kept = (0..<100).map { _ in center.addObserver(for: Ping.self) { _ in } }
                await expectNoGrowth(count) { number in
                    let token = center.addObserver(for: Ping.self) { _ in }
                    if number.isMultiple(of: 100) { center.post(Ping()) }
                    token.cancel()
                }
                withExtendedLifetime(kept) {}
            }
        }

        @Test func `observers with a deallocated sender or owner leak no memory`() async {
            await #expect(processExitsWith: .success) {
                let center = NativeNotificationCenter()
                await expectNoGrowth(count) { number in
                    let source = Source()
                    if number.isMultiple(of: 2) {
                        center.addObserver(source, for: FromSource.self, sender: source) { _, _ in }
                    } else {
                        center.addObserver(source, for: Ping.self) { _, _ in }
                    }
                    if number.isMultiple(of: 100) { center.post(Ping()) }
                }
            }
        }

        @Test func `sequences leak no memory`() async {
            await #expect(processExitsWith: .success) {
                let center = NativeNotificationCenter()
                await expectNoGrowth(count) { number in
                    let notes = center.notifications(of: Ping.self)
                    center.post(Ping())
                    withExtendedLifetime(notes) {}
                }
                if center.post(Ping()) != 0 { exit(2) }
            }
        }

        @Test func `deliveries leak no memory`() async {
            await #expect(processExitsWith: .success) {
                let center = NativeNotificationCenter()
                let token = center.addObserver(on: .task, for: Ping.self) { _ in }
                await expectNoGrowth(min(count / 2, 100_000)) { _ in await center.deliver(Ping()) }
                withExtendedLifetime(token) {}
            }
        }

        @Test func `drains by observers leak no memory`() async {
            await #expect(processExitsWith: .success) {
                let center = NativeNotificationCenter()
                let token = center.addObserver(on: .task, for: Ping.self) { _ in
                    let (begun, go) = (Gate(), Gate())
                    let drained = center.addObserver(on: .task, for: FromSource.self) { _ in
                        begun.open()
                        await go.wait()
                    }
                    center.post(FromSource(sender: Source()))
                    await begun.wait()
                    async let draining: Void = drained.cancelAndDrain()
                    await Task.yield()
                    go.open()
                    await draining
                }
                await expectNoGrowth(min(count / 2, 100_000)) { _ in await center.deliver(Ping()) }
                withExtendedLifetime(token) {}
            }
        }

        @Test func `a leak of one small object in eight repetitions is detected`() async {
            await #expect(processExitsWith: .failure) {
                var kept: [Source] = []
                await expectNoGrowth(count) { number in if number.isMultiple(of: 8) { kept.append(Source()) } }
            }
        }
    }
#endif
