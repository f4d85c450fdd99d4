import Foundation

/// One comparison that has to come out well.
struct Bar {
    /// One measurement of a run.
    struct Place: Hashable {
        let workload: String
        let parameter: Int
        let subject: Subject
    }

    /// How a ratio, or a figure, is limited.
    enum Limit {
        /// Ours takes at most so many times what the other takes.
        case atMost(Double)
        /// Ours is at least so many times as fast as the other.
        case faster(Double)
        /// Ours is at most so much.
        case value(Double)
    }

    let ours: Place
    let limit: Limit
    let theirs: Place?

    /// What is not reached yet, if the limit only says what must not be lost on the way there.
    let goal: Limit?

    /// - Parameters:
    ///   - workload: The workload's name.
    ///   - parameter: The parameter at which ours is measured.
    ///   - ours: Whose figure is limited.
    ///   - limit: The limit.
    ///   - theirs: Whose figure it is compared with; `nil` for none.
    ///   - other: The parameter at which the other is measured, if it is not the same.
    ///   - goal: What is not reached yet, if the limit only says what must not be lost on the way there.
    ///   - limitOnAMD: The limit on a processor of AMD, if it is another one there: see ``Machine/isAMD``. The other one is the goal then.
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
    /// Whether a ratio, or a figure, keeps the limit, which can be stretched by a factor.
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
    /// The bar in words.
    var description: String {
        let measured = "\(ours.workload), \(ours.parameter.formatted()): \(ours.subject)"
        guard let theirs else { return measured }
        let parameter = theirs.parameter == ours.parameter ? "" : " at \(theirs.parameter.formatted())"
        return "\(measured) / \(theirs.subject)\(parameter)"
    }
}
