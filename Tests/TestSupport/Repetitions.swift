import Foundation

/// The fraction of the repetitions in tests that repeat something a hundred thousand times. The default of a fifth
/// keeps tests quick during development. `.ci/run` sets `TIDINGS_REPETITIONS=1` to run all of them, and a tenth under
/// the thread sanitizer, where such a loop takes minutes and finds races early.
private let part = ProcessInfo.processInfo.environment["TIDINGS_REPETITIONS"].flatMap(Double.init) ?? 0.2

/// The given number of repetitions, or the configured fraction of it, but at least a hundred.
package func repetitions(_ full: Int) -> Int { max(min(full, 100), Int(Double(full) * part)) }

/// The number of threads in a race: at most sixteen, except in a run with all repetitions.
package func threadCount(_ full: Int) -> Int { part < 1 ? min(full, 16) : full }
