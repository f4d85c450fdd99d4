import Foundation

/// The fraction of the full number of repetitions that tests make. The default, a twentieth, keeps tests quick even on
/// a busy machine. Nightly checks set `TIDINGS_REPETITIONS=1` to run all repetitions.
private let part = ProcessInfo.processInfo.environment["TIDINGS_REPETITIONS"].flatMap(Double.init) ?? 0.05

/// The configured fraction of `full` repetitions, but at least 100, or `full` if `full` is less than 100.
package func repetitions(_ full: Int) -> Int { max(min(full, 100), Int(Double(full) * part)) }

/// The number of threads in a race. It is `full` in a run with all repetitions, and at most sixteen in other runs.
package func threadCount(_ full: Int) -> Int { part < 1 ? min(full, 16) : full }
