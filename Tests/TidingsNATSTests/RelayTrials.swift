import Foundation

/// How long the trials are in which servers and programs are killed: as `.ci/steps/65-relay` says, and `.ci/steps/65-relay long`.
enum RelayTrials {
    /// How often each is made.
    static let runs = number("TIDINGS_RELAY_RUNS", or: 1)

    /// Whether the connections of programs are encrypted: without and with, or one of them, 0 or 1.
    static let encryptions =
        ProcessInfo.processInfo.environment["TIDINGS_RELAY_ENCRYPTED"].map { [$0 == "1"] } ?? [false, true]

    /// How many notifications there are while a server is killed.
    static let count = number("TIDINGS_RELAY_COUNT", or: 100_000)

    /// How many there are while the consumer is killed.
    static let consumed = number("TIDINGS_RELAY_CONSUMED", or: 20_000)

    /// How many there are while the leader of a cluster is killed.
    static let clustered = number("TIDINGS_RELAY_CLUSTERED", or: 20_000)

    /// How many mutated messages there are.
    static let mutated = number("TIDINGS_RELAY_MUTATED", or: 20_000)

    /// How many lines one program relays to others, which have ten seconds to print them once they are asked to end.
    static let lines = number("TIDINGS_RELAY_LINES", or: 20_000)

    /// How often the leader of a cluster is killed.
    static let leaders = number("TIDINGS_RELAY_LEADERS", or: 1)

    private static func number(_ name: String, or usual: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? usual
    }
}
