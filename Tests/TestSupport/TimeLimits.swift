import Foundation
package import Testing

/// The time limit of tests whose length the environment sets. Runs with more repetitions set a longer limit.
let minutesOfRandomPrograms = ProcessInfo.processInfo.environment["TIDINGS_TIME_LIMIT"].flatMap(Int.init) ?? 2

extension TimeLimitTrait.Duration {
    package static var ofRandomPrograms: Self { .minutes(minutesOfRandomPrograms) }

    /// The limit of tests that start, kill and restart servers and programs. Their leases and connections expire by the
    /// system's clock.
    package static var ofServers: Self { .minutes(max(5, minutesOfRandomPrograms)) }
}
