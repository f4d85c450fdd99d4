/// What a contender's samples came to.
struct Result: Hashable, Encodable {
    let workload: String
    let parameter: Int
    let subject: String
    let unit: String
    let min: Double
    let median: Double

    /// Which of the two bars compare.
    let statistic: Statistic

    /// Sums up the samples that were not disturbed; all of them if most were, as a few say little.
    ///
    /// - Parameters:
    ///   - workload: The workload.
    ///   - contender: The contender.
    ///   - samples: Its samples, of which there is at least one.
    ///   - count: How much work each of them did.
    init(_ workload: Workload, _ contender: Contender, _ samples: [Sample], count: Int) {
        let clean = samples.filter { !$0.wasDisturbed }
        // One sample that nothing disturbed is enough for the least, a third of them for the one in the middle.
        isDisturbed = workload.statistic == .least ? clean.isEmpty : clean.count * 3 < samples.count
        let sorted = (isDisturbed ? samples : clean).map { $0.value / Double(count) }.sorted()
        self.workload = workload.name
        parameter = contender.parameter
        subject = contender.subject.description
        unit = workload.unit.description
        statistic = workload.statistic
        min = sorted[0]
        median = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }

    /// What bars compare.
    var figure: Double {
        switch statistic {
        case .least: min
        case .median: median
        }
    }

    /// Whether threads waited for a core so often that the figure says little.
    let isDisturbed: Bool

    private enum CodingKeys: CodingKey { case workload, parameter, subject, unit, min, median }
}
