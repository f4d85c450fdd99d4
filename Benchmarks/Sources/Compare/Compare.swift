import ArgumentParser
import Foundation

@main
struct Compare: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures Tidings and its peers, side by side in one process.")

    @Option(help: "Run only workloads whose name contains this. Can be repeated.")
    var filter: [String] = []

    @Option(help: "The number of samples of each contender. (default: 31, or 9 with --short)")
    var rounds: Int?

    @Option(help: "Write the results to this file, as JSON.")
    var json: String?

    @Flag(help: "Take fewer samples, and omit the workloads whose name begins with curve.")
    var short = false

    @Flag(help: "Fail if a figure misses its limit by far, in the first and in three more measurements.")
    var check = false

    func validate() throws {
        if let rounds, rounds < 1 { throw ValidationError("The number of rounds has to be at least 1.") }
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
        if check { try await verify(outcomes, runner) }
    }

    /// Repeats the measurements of figures that miss their limits by more than their slack, up to three times. Fails if
    /// a figure misses its limit every time: a random deviation doesn't repeat, but a regression does.
    @MainActor
    private func verify(_ outcomes: [Outcome], _ runner: Runner) async throws {
        var open = outcomes.filter { !$0.isCloseEnough }
        for attempt in 1...3 where !open.isEmpty {
            let workloads = Workload.held.filter { workload in open.contains { $0.bar.ours.workload == workload.name } }
            print("\nmeasured again, \(attempt) of 3: \(workloads.map(\.name).joined(separator: "; "))")
            let places = Set(open.flatMap { [$0.bar.ours, $0.bar.theirs].compactMap(\.self) })
            var results: [Result] = []
            for workload in workloads { results += try await runner.run(workload, only: places) }
            let again = open.map { Outcome($0.bar, in: results) ?? $0 }
            Table.show(again)
            open = zip(open, again).map { $1.isDisturbed && !$1.isCloseEnough ? $0 : $1 }.filter { !$0.isCloseEnough }
        }
        for outcome in open where outcome.isDisturbed {
            print("\nnot checked, because threads waited for a core: \(outcome)")
        }
        let missed = open.filter(\.isFarOff)
        for outcome in missed { print("\nmissed its bar in each measurement: \(outcome)") }
        if !missed.isEmpty { throw ExitCode.failure }
    }

    private func write(_ results: [Result], to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(results).write(to: URL(filePath: path))
    }
}
