#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A clock that measures the time since its creation, and also returns the wall time. The measured time never jumps.
/// The wall time is for times that are stored, or compared with times of other programs.
package struct ElapsedClock: Sendable {
    private let base: any Clock<Duration>
    private let elapsed: @Sendable () -> Duration
    private let wallTime: @Sendable () -> Int64

    package static let continuous = ElapsedClock(ContinuousClock())

    /// `wall` returns the milliseconds since 1970. For a `ContinuousClock`, the default is the system's clock. For any
    /// other clock, the default starts with the system's time and advances with `clock`.
    package init(_ clock: any Clock<Duration>, wall: (@Sendable () -> Int64)? = nil) {
        func elapsed<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Duration {
            let beginning = clock.now
            return { beginning.duration(to: clock.now) }
        }
        let elapsed = elapsed(clock)
        base = clock
        self.elapsed = elapsed
        if let wall {
            wallTime = wall
        } else if clock is ContinuousClock {
            wallTime = Self.systemTime
        } else {
            let start = Self.systemTime()
            wallTime = { start + elapsed().milliseconds }
        }
    }

    package var now: Duration { elapsed() }
    package var milliseconds: Int64 { elapsed().milliseconds }
    package var wall: Int64 { wallTime() }

    package static func systemTime() -> Int64 { Int64(Date().timeIntervalSince1970 * 1000) }

    package func sleep(for duration: Duration) async throws { try await base.sleep(for: duration) }

    func limit(_ duration: Duration, whenOver: @escaping @Sendable () -> Void) -> WaitLimit {
        WaitLimit(duration, base, whenOver: whenOver)
    }
}

extension Duration {
    package var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }

    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflows ? .max : product &+ attoseconds / 1_000_000_000
    }
}
