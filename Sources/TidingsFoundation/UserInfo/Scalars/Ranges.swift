import Foundation

extension Range: UserInfoScalar where Bound == Int {
    /// Reads a range of Swift's or of Foundation's; not the one of Foundation's that stands for nothing found.
    static func read(_ value: Any) throws(UserInfoMismatch) -> Range<Int> {
        if let value = value as? Self { return value }
        let range = try NSRange.read(value)
        let (end, overflow) = range.location.addingReportingOverflow(range.length)
        if range.location == NSNotFound || range.length < 0 || overflow { throw .inexact }
        return range.location..<end
    }

    /// Foundation's range, unless it stands for something else there, or for nothing; then Swift's.
    var untyped: Any {
        if lowerBound < 0 || lowerBound == NSNotFound { return self }
        return NSRange(location: lowerBound, length: count).untyped
    }
}
