import Tidings

extension RecordingNotificationCenter {
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
    ///   - fileID: The file of the call. Leave it out.
    ///   - filePath: The path of the file. Leave it out.
    ///   - line: The line of the call. Leave it out.
    ///   - column: The column of the call. Leave it out.
    ///   - cause: What leads to the post. It runs to its end.
    public func expectPosted<C: Clock>(
        _ expected: PostExpectation, within limit: C.Duration, on clock: C, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        performing cause: () async -> Void
    ) async {
        let start = clock.now
        let deadline = start.advanced(by: limit)
        let arrival = Arrival<C.Duration>()
        let watch = record.watch { post in
            if expected.matches(post) { arrival.settle(start.duration(to: clock.now)) }
        }
        await cause()
        // Cancelled, and waited for, when this returns.
        async let _: Void = {
            try? await clock.sleep(until: deadline, tolerance: nil)
            // Whoever was woken up by the same moment may still post, and is in time.
            await letOthersFinish { arrival.isSettled }
            arrival.settle(nil)
        }()
        let time = await arrival.value
        record.endWatch(watch)
        if let time, time <= limit { return }
        let late = time.map { ["The first one was posted \($0) after the beginning."] }
        report(
            ["Expected \(expected) within \(limit)."] + (late ?? ["None was posted in that time."]) + postedLines,
            at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }
}
