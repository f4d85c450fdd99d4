/// Work was skipped or done twice.
struct Miscount: Error, CustomStringConvertible {
    let subject: Subject
    let counted: Int
    let expected: Int

    var description: String { "\(subject): counted \(counted) instead of \(expected)" }

    static func check(_ subject: Subject, _ counted: Int, _ expected: Int) throws {
        if counted != expected { throw Miscount(subject: subject, counted: counted, expected: expected) }
    }
}
