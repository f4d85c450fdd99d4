import Foundation

/// The part that is done of what a test does a hundred thousand times. Under the thread sanitizer such a loop takes minutes, and what
/// races does so in the first tenth of it: steps of `.ci/run` set `TIDINGS_REPETITIONS=0.1`. Elsewhere all of it is done.
private let part = ProcessInfo.processInfo.environment["TIDINGS_REPETITIONS"].flatMap(Double.init) ?? 1

/// How often a test does something: as often as it says, or that part of it, and a hundred times at least.
package func repetitions(_ full: Int) -> Int { max(min(full, 100), Int(Double(full) * part)) }
