/// What a contender's samples came to.
struct Result: Hashable, Encodable {
    let workload: String
    let parameter: Int
    let subject: String
    let unit: String
    let min: Double
    let median: Double

    /// Sums up the samples that were not disturbed; all of them if most were, as a few say little.
    ///
    /// - Parameters:
    ///   - workload: The workload.
    ///   - contender: The contender.
    ///   - samples: Its samples, of which there is at least one.
    ///   - count: How much work each of them did.
    init(_ workload: Workload, _ contender: Contender, _ samples: [Sample], count: Int) {
        let clean = samples.filter { !$0.wasDisturbed }
        isDisturbed = clean.count * 3 < samples.count
        let sorted = (isDisturbed ? samples : clean).map { $0.value / Double(count) }.sorted()
        self.workload = workload.name
        parameter = contender.parameter
        subject = contender.subject.description
        unit = workload.unit.description
        min = sorted[0]
        median = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }

    /// Whether a thread waited for a core in most of the samples.
    let isDisturbed: Bool

    private enum CodingKeys: CodingKey { case workload, parameter, subject, unit, min, median }
}
