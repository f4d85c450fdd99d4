struct Workload {
    /// The name of the workload in `--filter` and in the JSON file.
    let name: String

    /// The quantity that the contenders' parameter counts, such as `observers`.
    let parameterName: String

    let unit: Unit

    var statistic = Statistic.median

    /// The amount of work in a sample, or `nil` for as much as fits into `Runner.sampleTime`.
    var count: Int?

    /// Creates the contenders, which are released when the workload is over.
    let contenders: @MainActor () async throws -> [Contender]
}

struct Contender {
    let subject: Subject

    let parameter: Int

    /// Does the work a number of times, and verifies that all of it was done.
    let sample: @MainActor (Int) async throws -> Sample

    /// Verifies conditions whose check would disturb the rounds. Called after the last round.
    var finish: @MainActor () throws -> Void = {}
}

/// The unit of a figure. Smaller figures are better.
struct Unit: Hashable, CustomStringConvertible {
    let description: String

    static func nanoseconds(per thing: String) -> Unit { Unit(description: "ns/\(thing)") }

    /// Elapsed nanoseconds, as the median of all measurements.
    static let medianNanoseconds = Unit(description: "ns")

    static let bytesPerObserver = Unit(description: "bytes/observer")
    static let allocationsPerPost = Unit(description: "allocations/post")
}
