import Foundation
import Synchronization

/// Prints figures and compares them with their limits. If a busy machine with two cores doesn't reach a goal, the limit
/// is the figure that it reaches, so that a regression is still detected. The goal is printed next to the limit.
enum Bar {
    enum Limit: CustomStringConvertible {
        case atMost(Double), atLeast(Double)

        fileprivate func holds(_ figure: Double) -> Bool {
            switch self {
            case .atMost(let most): figure <= most
            case .atLeast(let least): figure >= least
            }
        }

        var description: String {
            switch self {
            case .atMost(let most): "at most \(text(most))"
            case .atLeast(let least): "at least \(text(least))"
            }
        }
    }

    static let isShort = CommandLine.arguments.contains("--short")
    static let isChecking = CommandLine.arguments.contains("--check")

    private struct State {
        var missed: [String] = []
        var isMissed: Set<String> = []
    }

    private static let state = Mutex(State())

    /// The names of the figures that have missed their limits in every measurement.
    static var missed: [String] { state.withLock { $0.missed } }

    /// Prints the missed limits. With `--check`, exits with an error if there are any.
    static func end() {
        for words in missed { print("missed its bar in each measurement: \(words)") }
        if isChecking, !missed.isEmpty { exit(1) }
    }

    /// Measures once. With `--check`, measures up to three more times while limits are missed, because random
    /// deviations don't repeat each time.
    static func hold(_ measure: () async throws -> Void) async throws {
        var always: Set<String>?
        for attempt in 0...(isChecking ? 3 : 0) {
            if attempt > 0 { print("measured again, \(attempt) of 3") }
            state.withLock { $0.isMissed = [] }
            try await measure()
            let now = state.withLock { $0.isMissed }
            always = always?.intersection(now) ?? now
            if always?.isEmpty ?? true { break }
        }
        state.withLock { $0.missed += (always ?? []).sorted() }
    }

    /// Prints a figure, with the verdict if there is a limit. `words` is the name of the figure, and must be the same
    /// in each measurement. `goal` is `nil` if the limit is the goal.
    static func report(_ words: String, _ figure: Double, _ limit: Limit? = nil, towards goal: Limit? = nil) {
        var line = "\(words): \(text(figure))"
        if let limit {
            if !limit.holds(figure) {
                line += " (MISSED: \(limit))"
                state.withLock { _ = $0.isMissed.insert(words) }
            } else if let goal, !goal.holds(figure) {
                line += " (held: \(limit); the goal is \(goal))"
            } else {
                line += " (reached: \(goal ?? limit))"
            }
        }
        print(line)
        // Without a flush, an interrupted program would lose output that goes to a file.
        fflush(nil)
    }

    fileprivate static func text(_ figure: Double) -> String { String(format: figure >= 100 ? "%.0f" : "%.2f", figure) }
}

private func text(_ figure: Double) -> String { Bar.text(figure) }
