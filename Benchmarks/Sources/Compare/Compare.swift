import ArgumentParser
import Foundation

/// Measures Tidings and its peers, side by side in one process.
@main
struct Compare: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures Tidings and its peers, side by side in one process.")

    @Option(help: "Run only workloads whose name contains this. Can be given more than once.")
    var filter: [String] = []

    @Option(help: "How many samples each contender gives. (default: 31, or 9 with --short)")
    var rounds: Int?

    @Option(help: "Write the results to this file, as JSON.")
    var json: String?

    @Flag(help: "Take fewer samples, and leave out the curves.")
    var short = false

    @Flag(help: "Fail when a ratio is worse than its bar by more than a third.")
    var check = false

    func validate() throws {
        if let rounds, rounds < 1 { throw ValidationError("There is at least one round.") }
    }

    @MainActor
    func run() async throws {
        Parked.begin()
        Machine.reportMissing()
        Peer.reportMissing()
        let runner = Runner(
            rounds: rounds ?? (short ? 9 : 31), sampleTime: 3_000_000,
            patience: .milliseconds(short ? 60 : 300), budget: .seconds(short ? 1 : 10))
        var results: [Result] = []
        for workload in Workload.matching(filter, curves: !short) {
            let new = try await runner.run(workload)
            Table.show(workload, new)
            results += new
        }
        let outcomes = Bar.all.compactMap { Outcome($0, in: results) }
        if !outcomes.isEmpty { Table.show(outcomes) }
        if let json { try write(results, to: json) }
        if check, outcomes.contains(where: \.isFarOff) { throw ExitCode.failure }
    }

    private func write(_ results: [Result], to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(results).write(to: URL(filePath: path))
    }
}
