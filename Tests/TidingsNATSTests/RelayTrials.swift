import Foundation

/// The sizes of the trials that kill servers and programs. `.ci/steps/65-relay` sets them.
enum RelayTrials {
    static let runs = number("TIDINGS_RELAY_RUNS", or: 1)

    /// Whether programs use encrypted connections. By default, each trial runs with and without encryption.
    static let encryptions =
        ProcessInfo.processInfo.environment["TIDINGS_RELAY_ENCRYPTED"].map { [$0 == "1"] } ?? [false, true]

    /// The number of notifications in trials that kill a server.
    static let count = number("TIDINGS_RELAY_COUNT", or: 100_000)

    /// The number of notifications in trials that kill the consumer.
    static let consumed = number("TIDINGS_RELAY_CONSUMED", or: 20_000)

    /// The number of notifications in trials that kill the leader of a cluster.
    static let clustered = number("TIDINGS_RELAY_CLUSTERED", or: 20_000)

    static let mutated = number("TIDINGS_RELAY_MUTATED", or: 20_000)

    /// The number of output lines that one process of the example `watch` relays to other `watch` processes.
    static let lines = number("TIDINGS_RELAY_LINES", or: 20_000)

    /// The number of times that the leader of a cluster is killed.
    static let leaders = number("TIDINGS_RELAY_LEADERS", or: 1)

    private static func number(_ name: String, or usual: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? usual
    }
}
