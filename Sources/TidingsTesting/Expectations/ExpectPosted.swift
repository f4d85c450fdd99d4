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
    ///   - fileID: The file of the call.
    ///   - filePath: The path of the file.
    ///   - line: The line of the call.
    ///   - column: The column of the call.
    ///   - condition: Whether a notification fits; without a condition every one does.
    public func expectPosted<N: NotificationContent & Sendable>(
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
    ///   - fileID: The file of the call.
    ///   - filePath: The path of the file.
    ///   - line: The line of the call.
    ///   - column: The column of the call.
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
    ///   - fileID: The file of the call.
    ///   - filePath: The path of the file.
    ///   - line: The line of the call.
    ///   - column: The column of the call.
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
    ///   - fileID: The file of the call.
    ///   - filePath: The path of the file.
    ///   - line: The line of the call.
    ///   - column: The column of the call.
    public func expectPosted<N: NotificationContent & Sendable & Equatable>(
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

extension RecordingNotificationCenter {
    /// Runs a closure, and expects a notification that fits to be posted within a time of its beginning, by the real clock.
    ///
    /// For code that takes no clock. A test that says what is *not* posted takes the whole time, and a busy machine needs a generous
    /// one: where the code takes a clock, hand it one that the test moves, and say `on:`.
    ///
    /// - Parameters:
    ///   - expected: What is expected of the post.
    ///   - limit: The time, including the limit itself.
    ///   - fileID: The file of the call.
    ///   - filePath: The path of the file.
    ///   - line: The line of the call.
    ///   - column: The column of the call.
    ///   - cause: What leads to the post. It runs to its end.
    public func expectPosted(
        _ expected: PostExpectation, within limit: Duration, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        performing cause: () async -> Void
    ) async {
        await expectPosted(
            expected, within: limit, on: ContinuousClock(), fileID: fileID, filePath: filePath, line: line,
            column: column, performing: cause)
    }

    /// Runs a closure, and expects a notification that fits to be posted within a time of its beginning.
    ///
    /// The clock is asked when the notification is posted, so with a clock that a test moves by hand the limit is exact.
    /// It returns when such a notification is posted, or when the clock has passed the limit.
    ///
    /// ```swift
    /// await recorder.expectPosted(.any(Saved.self), within: .seconds(5), on: clock) {
    ///     model.edit()
    ///     await clock.waitForSleepers()
    ///     clock.advance(by: .seconds(5))
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - expected: What is expected of the post.
    ///   - limit: The time, including the limit itself.
    ///   - clock: The clock that measures it.
    ///   - fileID: The file of the call.
    ///   - filePath: The path of the file.
    ///   - line: The line of the call.
    ///   - column: The column of the call.
    ///   - cause: What leads to the post. It runs to its end.
    public func expectPosted<C: Clock>(
        _ expected: PostExpectation, within limit: C.Duration, on clock: C, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        performing cause: () async -> Void
    ) async {
        let start = clock.now
        let deadline = start.advanced(by: limit)
        // The first value says after which time the notification was posted: `nil` if the limit came first.
        let times = ReceivedValues<C.Duration?>()
        let probe = record.addProbe { post in
            if expected.matches(post) { times.append(start.duration(to: clock.now)) }
        }
        await cause()
        // Cancelled, and waited for, when this returns.
        async let _: Void = {
            try? await clock.sleep(until: deadline, tolerance: nil)
            // A task that the same moment woke up may still post, and is in time.
            await letOthersFinish { times.count > 0 }
            times.append(nil)
        }()
        await times.wait(for: 1)
        record.removeProbe(probe)
        let time = times.values.first.flatMap(\.self)
        if let time, time <= limit { return }
        let late = time.map { ["The first one was posted \($0) after the beginning."] }
        report(
            ["Expected \(expected) within \(limit)."] + (late ?? ["None was posted in that time."]) + postedLines,
            at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }
}
