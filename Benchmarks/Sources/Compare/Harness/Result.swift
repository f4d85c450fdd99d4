struct Result: Hashable, Encodable {
    let workload: String
    let parameter: Int
    let subject: String
    let unit: String
    let min: Double
    let median: Double

    let statistic: Statistic

    /// Summarizes the undisturbed samples, or all samples if too few are undisturbed.
    init(_ workload: Workload, _ contender: Contender, _ samples: [Sample], count: Int) {
        let clean = samples.filter { !$0.wasDisturbed }
        // For the minimum, at least one sample must be undisturbed. For the median, a third of the samples must be.
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

    var figure: Double {
        switch statistic {
        case .least: min
        case .median: median
        }
    }

    /// Whether threads waited for a core so often that the figure is unreliable.
    let isDisturbed: Bool

    private enum CodingKeys: CodingKey { case workload, parameter, subject, unit, min, median }
}
