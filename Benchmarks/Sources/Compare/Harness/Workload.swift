/// Something to do, and who does it. All of its contenders take turns, round after round.
struct Workload {
    /// What is done, as `--filter` and the JSON name it.
    let name: String

    /// What the parameter of its contenders counts, as in `observers`.
    let parameterName: String

    /// What is measured.
    let unit: Unit

    /// Which of the samples bars compare.
    var statistic = Statistic.median

    /// How much work a sample does: as much as fits its time, unless it is a set number.
    var count: Int?

    /// Makes the contenders, ready to run. They go when the workload is over.
    let contenders: @MainActor () async throws -> [Contender]
}

/// One of those who do the work of a workload.
struct Contender {
    let subject: Subject

    /// How much of it: the number of observers, of threads.
    let parameter: Int

    /// Does the work a number of times, verifies that all of it was done, and measures it.
    let sample: @MainActor (Int) async throws -> Sample

    /// Verifies, after the last round, what would disturb the rounds.
    var finish: @MainActor () throws -> Void = {}
}

/// In what a workload is measured. Less is better.
struct Unit: Hashable, CustomStringConvertible {
    let description: String

    /// Nanoseconds for each post, message, observer.
    static func nanoseconds(per thing: String) -> Unit { Unit(description: "ns/\(thing)") }

    /// Nanoseconds that go by, in the middle of all that were measured.
    static let medianNanoseconds = Unit(description: "ns")

    static let bytesPerObserver = Unit(description: "bytes/observer")
    static let allocationsPerPost = Unit(description: "allocations/post")
}
