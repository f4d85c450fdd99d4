import Testing
import XCTest

/// How an expectation says that it is not met.
enum Report {
    /// Fails the test that runs, of Swift Testing or of XCTest, at a place.
    static func issue(_ lines: [String], at site: CallSite) {
        let message = lines.joined(separator: "\n")
        if Test.current == nil {
            // A test of XCTest; elsewhere this does nothing.
            XCTFail(message, file: site.filePath, line: site.line)
        }
        // Of Swift Testing, also for a detached task, which does not know its test. In a run of XCTest this does nothing.
        Issue.record(
            Comment(rawValue: message),
            sourceLocation: SourceLocation(
                fileID: "\(site.fileID)", filePath: "\(site.filePath)", line: Int(site.line), column: Int(site.column)))
    }
}
