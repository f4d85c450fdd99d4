import Foundation
package import Testing

/// How many minutes a test may take whose length the environment sets: two, unless a run with more repetitions asks for more.
let minutesOfRandomPrograms = ProcessInfo.processInfo.environment["TIDINGS_TIME_LIMIT"].flatMap(Int.init) ?? 2

extension TimeLimitTrait.Duration {
    /// The limit of tests whose length the environment sets.
    package static var ofRandomPrograms: Self { .minutes(minutesOfRandomPrograms) }

    /// The limit of tests that start, kill and start again servers and programs, whose leases and connections end by the clock of the system.
    package static var ofServers: Self { .minutes(max(5, minutesOfRandomPrograms)) }
}
