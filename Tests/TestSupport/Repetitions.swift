import Foundation

/// The part that is done of what a test does a hundred thousand times. Who changes something waits for a fifth of it; `.ci/run` has
/// all of it done, by `TIDINGS_REPETITIONS=1`, and under the thread sanitizer, where such a loop takes minutes and what races does so
/// soon, a tenth.
private let part = ProcessInfo.processInfo.environment["TIDINGS_REPETITIONS"].flatMap(Double.init) ?? 0.2

/// How often a test does something: as often as it says, or that part of it, and a hundred times at least.
package func repetitions(_ full: Int) -> Int { max(min(full, 100), Int(Double(full) * part)) }
