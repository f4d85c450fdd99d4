public import Tidings

extension RecordingNotificationCenter {
    /// Expects that at least one matching notification of a type was posted. If none has been posted yet, the method
    /// calls ``drain()``, so posts of asynchronous observers count.
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
    ///   - condition: Returns whether a notification matches. Without a condition, all notifications match.
    public func expectPosted<N: NotificationContent & Sendable>(
        _ type: N.Type, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column, where condition: (@Sendable (N) -> Bool)? = nil
    ) async {
        let expected = condition.map { PostExpectation.any(type, where: $0) } ?? .any(type)
        await expectPosted(expected, fileID: fileID, filePath: filePath, line: line, column: column)
    }

    /// Expects that at least one matching notification was posted. If none has been posted yet, the method calls
    /// ``drain()``, so posts of asynchronous observers count.
    ///
    /// ```swift
    /// await recorder.expectPosted(.equal(to: Saved(id: 7)))
    /// ```
    ///
    /// - Parameters:
    ///   - expected: The expectation that a post has to meet.
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
        report(["Expected \(expected), but none was posted."] + postedLines, at: site)
    }

    /// Expects that exactly these notifications were posted, in this order, and no others.
    ///
    /// Calls ``drain()`` first, so posts of asynchronous observers count. Posts before ``forget()`` don't count.
    ///
    /// ```swift
    /// await recorder.expectPosted(exactly: .any(SavingBegan.self), .equal(to: Saved(id: 7)))
    /// ```
    ///
    /// - Parameters:
    ///   - expected: The expectation for each post.
    ///   - fileID: The file of the call.
    ///   - filePath: The path of the file.
    ///   - line: The line of the call.
    ///   - column: The column of the call.
    public func expectPosted(
        exactly expected: PostExpectation..., fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) async {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        await expect(exactly: expected, "notifications", at: site) { _ in true }
    }

    /// Expects that exactly these notifications of a type were posted, in this order. Other types are ignored.
    ///
    /// Calls ``drain()`` first, so posts of asynchronous observers count. Posts before ``forget()`` don't count.
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
        let expected = expected.map(PostExpectation.equal)
        await expect(exactly: expected, shownName(of: type), at: site) { $0.type == type }
    }

    private func expect(
        exactly expected: [PostExpectation], _ name: String, at site: CallSite, _ counts: (RecordedPost) -> Bool
    ) async {
        guard await drain(at: site) else { return }
        let difference = Difference(expected: expected, posted: log.filter(counts))
        if difference.isEmpty { return }
        let headline =
            "Expected exactly these \(name) in this order. Expected: \(expected.count). \(difference.summary)"
        report([headline] + difference.lines, at: site)
    }

    /// Runs a closure, and expects that a matching notification is posted within a time limit, measured in real time.
    ///
    /// Use it for code that doesn't take a clock. Choose a generous limit for busy machines. A test only waits for the
    /// whole limit if it fails. If the code takes a clock, pass the same clock as `on:`.
    ///
    /// - Parameters:
    ///   - expected: The expectation that a post has to meet.
    ///   - limit: The time limit, inclusive, measured from the beginning of the closure.
    ///   - fileID: The file of the call.
    ///   - filePath: The path of the file.
    ///   - line: The line of the call.
    ///   - column: The column of the call.
    ///   - cause: Code that leads to the post. It runs to its end, even if the post comes earlier.
    public func expectPosted(
        _ expected: PostExpectation, within limit: Duration, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        performing cause: () async -> Void
    ) async {
        // At most thirty years, because the clock can't sleep until an instant that is beyond its range.
        let limit = min(limit, .seconds(1_000_000_000))
        // The patience is zero, because this clock advances on its own: a post after the limit is too late.
        await expectPosted(
            expected, within: limit, on: ContinuousClock(), patience: .zero, fileID: fileID, filePath: filePath,
            line: line, column: column, performing: cause)
    }

    /// Runs a closure, and expects that a matching notification is posted within a time limit.
    ///
    /// The clock is read when the notification is posted, so the limit is exact if the test controls the clock. After
    /// the closure, the method waits until a matching notification has been posted, or the clock has passed the limit.
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
    ///   - expected: The expectation that a post has to meet.
    ///   - limit: The time limit, inclusive, measured from the beginning of the closure.
    ///   - clock: The clock that measures the limit.
    ///   - patience: How long to wait in real time for tasks that the clock has woken up, if the expectation isn't met.
    ///   - fileID: The file of the call.
    ///   - filePath: The path of the file.
    ///   - line: The line of the call.
    ///   - column: The column of the call.
    ///   - cause: Code that leads to the post. It runs to its end, even if the post comes earlier.
    public func expectPosted<C: Clock>(
        _ expected: PostExpectation, within limit: C.Duration, on clock: C, patience: Duration = .seconds(10),
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        performing cause: () async -> Void
    ) async {
        let start = clock.now
        let deadline = start.advanced(by: limit)
        // The first value is the time from the start to the first matching post, or `nil` if the limit came first.
        let times = ReceivedValues<C.Duration?>()
        let probe = record.addProbe { post in
            if expected.matches(post) { times.append(start.duration(to: clock.now)) }
        }
        await cause()
        // This task is cancelled and awaited when the method returns.
        async let _: Void = {
            try? await clock.sleep(until: deadline, tolerance: nil)
            // A task that was woken up at the same instant may still post in time.
            await letOthersFinish(patience) { times.count > 0 }
            times.append(nil)
        }()
        await times.wait(for: 1)
        record.removeProbe(probe)
        let time = times.values.first.flatMap(\.self)
        if let time, time <= limit { return }
        let late = time.map { ["The first one was posted \($0) after the start."] }
        report(
            ["Expected \(expected) within \(limit)."] + (late ?? ["None was posted in that time."]) + postedLines,
            at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }
}
