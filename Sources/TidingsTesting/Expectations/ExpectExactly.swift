public import Tidings

extension RecordingNotificationCenter {
    /// Expects that exactly these notifications were posted, in this order, and no others.
    ///
    /// It drains first: what asynchronous observers post counts, too. Posts before the last ``forget()`` do not.
    ///
    /// ```swift
    /// await recorder.expectPosted(exactly: .any(SavingBegan.self), .equal(to: Saved(id: 7)))
    /// ```
    ///
    /// - Parameters:
    ///   - expected: What is expected of each post.
    ///   - fileID: The file of the call. Leave it out.
    ///   - filePath: The path of the file. Leave it out.
    ///   - line: The line of the call. Leave it out.
    ///   - column: The column of the call. Leave it out.
    public func expectPosted(
        exactly expected: PostExpectation..., fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) async {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        guard await drain(at: site) else { return }
        let difference = Difference(expected: expected, posted: log)
        if difference.isEmpty { return }
        report(
            ["Expected exactly these notifications in this order: \(expected.count). \(difference.summary)"]
                + difference.lines,
            at: site)
    }

    /// Expects that of one type exactly these notifications were posted, in this order; other types do not count.
    ///
    /// It drains first: what asynchronous observers post counts, too. Posts before the last ``forget()`` do not.
    ///
    /// - Parameters:
    ///   - type: The notification type.
    ///   - expected: The notifications.
    ///   - fileID: The file of the call. Leave it out.
    ///   - filePath: The path of the file. Leave it out.
    ///   - line: The line of the call. Leave it out.
    ///   - column: The column of the call. Leave it out.
    public func expectPosted<N: TypedNotification & Sendable & Equatable>(
        _ type: N.Type, exactly expected: [N], fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) async {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        guard await drain(at: site) else { return }
        let difference = Difference(
            expected: expected.map(PostExpectation.equal), posted: log.filter { $0.type == type })
        if difference.isEmpty { return }
        report(
            ["Expected exactly these \(TypeName.of(type)) in this order: \(expected.count). \(difference.summary)"]
                + difference.lines,
            at: site)
    }
}
