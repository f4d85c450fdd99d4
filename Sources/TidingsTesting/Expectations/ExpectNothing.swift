public import Tidings

extension RecordingNotificationCenter {
    /// Expects that nothing was posted.
    ///
    /// Calls ``drain()`` first, so no asynchronous observer can still post. ``drain()`` doesn't wait for deliveries
    /// that the ``gate`` holds, for consumers of sequences, or for tasks of the code under test, so await these first.
    /// Posts before ``forget()`` don't count.
    ///
    /// - Parameters:
    ///   - fileID: The file of the call.
    ///   - filePath: The path of the file.
    ///   - line: The line of the call.
    ///   - column: The column of the call.
    public func expectNothingPosted(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) async {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        await expectNone("Expected no notification", at: site) { _ in true }
    }

    /// Expects that no notification of a type was posted. Calls ``drain()`` first, as
    /// ``expectNothingPosted(fileID:filePath:line:column:)`` does.
    ///
    /// - Parameters:
    ///   - type: The notification type.
    ///   - fileID: The file of the call.
    ///   - filePath: The path of the file.
    ///   - line: The line of the call.
    ///   - column: The column of the call.
    public func expectNothingPosted<N: NotificationContent>(
        of type: N.Type, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) async {
        await expectNothingPosted(.any(type), fileID: fileID, filePath: filePath, line: line, column: column)
    }

    /// Expects that no matching notification was posted. Calls ``drain()`` first, as
    /// ``expectNothingPosted(fileID:filePath:line:column:)`` does.
    ///
    /// - Parameters:
    ///   - unwanted: An expectation. The test fails if a post meets it.
    ///   - fileID: The file of the call.
    ///   - filePath: The path of the file.
    ///   - line: The line of the call.
    ///   - column: The column of the call.
    public func expectNothingPosted(
        _ unwanted: PostExpectation, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) async {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        await expectNone("Did not expect \(unwanted)", at: site, unwanted.matches)
    }

    private func expectNone(_ what: String, at site: CallSite, _ isUnwanted: (RecordedPost) -> Bool) async {
        guard await drain(at: site) else { return }
        let unwanted = log.filter(isUnwanted)
        if !unwanted.isEmpty {
            report(["\(what). Posted: \(unwanted.count)."] + numberedLines(unwanted), at: site)
        }
    }
}
