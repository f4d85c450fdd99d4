/// Says which promises a center did not keep, and what was found wrong.
public struct ConformanceFailure: Error, CustomStringConvertible {
    /// Something that a check found wrong.
    public struct Violation: Sendable {
        /// The check.
        public let check: ConformanceCheck
        /// What was found.
        public let description: String
    }

    /// Everything that was found wrong, in the order of the checks.
    public let violations: [Violation]

    /// The violations, one a line.
    public var description: String {
        violations.map { "\($0.check.promise): \($0.check): \($0.description)" }.joined(separator: "\n")
    }
}
