import Tidings

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Measures the time since it was created, sleeps, and reads the wall clock.
///
/// State machines receive the elapsed time as a `Duration`, which never jumps. The wall clock is for times that are
/// stored, or compared with those of other programs.
package struct ElapsedClock: Sendable {
    private let base: any Clock<Duration>
    private let elapsed: @Sendable () -> Duration
    private let wallTime: @Sendable () -> Int64

    package static let continuous = ElapsedClock(ContinuousClock())

    /// Starts measuring.
    ///
    /// - Parameters:
    ///   - clock: The clock that measures the time.
    ///   - wall: Returns the milliseconds since 1970. With `nil`, the system's clock is used. If `clock` isn't a
    ///     `ContinuousClock`, the wall clock then starts with the system's time and advances with `clock`.
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

    /// The elapsed time in whole milliseconds.
    package var milliseconds: Int64 { elapsed().milliseconds }

    /// The milliseconds since 1970.
    package var wall: Int64 { wallTime() }

    /// Returns the milliseconds since 1970 by the system's clock.
    package static func systemTime() -> Int64 { Int64(Date().timeIntervalSince1970 * 1000) }

    /// Returns when the duration is over.
    ///
    /// - Throws: An error if the task is cancelled.
    package func sleep(for duration: Duration) async throws { try await base.sleep(for: duration) }

    /// Calls a closure when a duration is over, using a timer that all waits share.
    func limit(_ duration: Duration, whenOver: @escaping @Sendable () -> Void) -> WaitLimit {
        WaitLimit(duration, base, whenOver: whenOver)
    }
}

extension Duration {
    /// The duration in whole milliseconds.
    package var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }

    /// The duration in whole nanoseconds, the unit that servers expect.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflows ? .max : product &+ attoseconds / 1_000_000_000
    }
}
