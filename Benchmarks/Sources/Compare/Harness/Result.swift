/// What a contender's samples came to.
struct Result: Hashable, Codable {
    let workload: String
    let parameter: Int
    let subject: String
    let unit: String
    let min: Double
    let median: Double

    init(_ workload: Workload, _ contender: Contender, values: [Double]) {
        let sorted = values.sorted()
        self.workload = workload.name
        parameter = contender.parameter
        subject = contender.subject.description
        unit = workload.unit.description
        min = sorted[0]
        median = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }
}
