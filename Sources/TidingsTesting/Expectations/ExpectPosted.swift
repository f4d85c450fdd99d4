public import Tidings

extension RecordingNotificationCenter {
    /// Expects that at least one notification of a type was posted that fits.
    ///
    /// If there is none yet, it drains: what asynchronous observers post counts, too.
    ///
    /// ```swift
    /// await recorder.expectPosted(Saved.self) { $0.id == 7 }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The notification type.
    ///   - fileID: The file of the call. Leave it out.
    ///   - filePath: The path of the file. Leave it out.
    ///   - line: The line of the call. Leave it out.
    ///   - column: The column of the call. Leave it out.
    ///   - condition: Whether a notification fits; any does if you leave it out.
    public func expectPosted<N: TypedNotification & Sendable>(
        _ type: N.Type, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column, where condition: (@Sendable (N) -> Bool)? = nil
    ) async {
        let expected = condition.map { PostExpectation.any(type, where: $0) } ?? .any(type)
        await expectPosted(expected, fileID: fileID, filePath: filePath, line: line, column: column)
    }

    /// Expects that at least one notification was posted that fits.
    ///
    /// If there is none yet, it drains: what asynchronous observers post counts, too.
    ///
    /// ```swift
    /// await recorder.expectPosted(.equal(to: Saved(id: 7)))
    /// ```
    ///
    /// - Parameters:
    ///   - expected: What is expected of a post.
    ///   - fileID: The file of the call. Leave it out.
    ///   - filePath: The path of the file. Leave it out.
    ///   - line: The line of the call. Leave it out.
    ///   - column: The column of the call. Leave it out.
    public func expectPosted(
        _ expected: PostExpectation, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) async {
        if log.contains(where: expected.matches) { return }
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        guard await drain(at: site), !log.contains(where: expected.matches) else { return }
        report(["Expected \(expected), and none was posted."] + postedLines, at: site)
    }
}
