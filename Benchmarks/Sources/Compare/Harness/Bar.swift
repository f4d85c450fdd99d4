import Foundation

struct Bar {
    struct Place: Hashable {
        let workload: String
        let parameter: Int
        let subject: Subject
    }

    enum Limit {
        /// The figure of Tidings is at most this multiple of the other subject's figure.
        case atMost(Double)
        /// Tidings is at least this many times as fast as the other subject.
        case faster(Double)
        /// The figure of Tidings is at most this value.
        case value(Double)
    }

    let ours: Place
    let limit: Limit
    let theirs: Place?

    /// Another limit that Tidings is meant to reach later; `nil` if there is none.
    let goal: Limit?

    /// Creates a limit for the figure of Tidings at `parameter`, such as a number of observers. The other subject is
    /// measured at `other`, or at `parameter` if `other` is `nil`. On AMD processors, `limitOnAMD` replaces `limit`,
    /// and `limit` is the goal unless `goal` is given: see ``Machine/isAMD``.
    init(
        _ workload: String, _ parameter: Int, _ ours: Subject, _ limit: Limit, _ theirs: Subject? = nil,
        at other: Int? = nil, towards goal: Limit? = nil, onAMD limitOnAMD: Limit? = nil
    ) {
        self.ours = Place(workload: workload, parameter: parameter, subject: ours)
        let here = Machine.isAMD ? limitOnAMD : nil
        self.limit = here ?? limit
        self.goal = goal ?? here.map { _ in limit }
        self.theirs = theirs.map { Place(workload: workload, parameter: other ?? parameter, subject: $0) }
    }
}

extension Bar.Limit: CustomStringConvertible {
    /// Whether a ratio or a figure meets the limit, or misses it by at most the factor `slack`.
    func admits(_ ratio: Double, slack: Double = 1) -> Bool {
        switch self {
        case .atMost(let limit), .value(let limit): ratio <= limit * slack
        case .faster(let limit): ratio >= limit / slack
        }
    }

    var description: String {
        switch self {
        case .atMost(let limit): "at most \(limit.formatted())x"
        case .faster(let limit): "at least \(limit.formatted())x"
        case .value(let limit): "at most \(limit.formatted())"
        }
    }
}

extension Bar: CustomStringConvertible {
    var description: String {
        let measured = "\(ours.workload), \(ours.parameter.formatted()): \(ours.subject)"
        guard let theirs else { return measured }
        let parameter = theirs.parameter == ours.parameter ? "" : " at \(theirs.parameter.formatted())"
        return "\(measured) / \(theirs.subject)\(parameter)"
    }
}
