import TestSupport
import Testing

/// Verifies that an expectation fails. The report has to contain the parts in order, and its line has to be `offset`
/// lines below the call.
func fails(
    line offset: Int = 1, saying parts: String..., isolation: isolated (any Actor)? = #isolation,
    sourceLocation: SourceLocation = #_sourceLocation, _ expectation: () async -> Void
) async {
    await withKnownIssue(sourceLocation: sourceLocation) {
        await expectation()
    } matching: { issue in
        var rest = Substring(issue.comments.map(\.rawValue).joined(separator: "\n"))
        for part in parts {
            guard let range = rest.firstRange(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return issue.sourceLocation?.line == sourceLocation.line + offset
            && issue.sourceLocation?.fileID == sourceLocation.fileID
    }
}
