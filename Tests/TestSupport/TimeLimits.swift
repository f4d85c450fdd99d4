import Foundation
package import Testing

/// The time limit of long tests, in minutes. A run with more repetitions sets a longer limit.
let minutesOfRandomPrograms = ProcessInfo.processInfo.environment["TIDINGS_TIME_LIMIT"].flatMap(Int.init) ?? 2

extension TimeLimitTrait.Duration {
    package static var ofRandomPrograms: Self { .minutes(minutesOfRandomPrograms) }

    /// The limit of tests that start, kill and restart servers and programs, whose leases and connections expire in
    /// real time.
    package static var ofServers: Self { .minutes(max(5, minutesOfRandomPrograms)) }
}
