extension NotificationSequence {
    /// Runs a closure, and waits for the first notification that matches a predicate.
    ///
    /// - Parameters:
    ///   - limit: How long to wait, measured from when the closure begins; `nil` for no limit.
    ///   - clock: The clock that measures the time.
    ///   - predicate: Returns whether a notification matches. By default all do.
    ///   - cause: Code that causes the notification. It runs to its end, even if the notification arrives earlier.
    /// - Returns: The notification; `nil` if the task was cancelled, the time limit passed or the sequence has ended.
    ///   When the time limit passes, the sequence ends.
    public func first<C: Clock>(
        within limit: Duration? = nil, clock: C = ContinuousClock(), where predicate: (Element) -> Bool = { _ in true },
        performing cause: () async -> Void = {}
    ) async -> Element? where C.Duration == Duration {
        guard let limit else {
            await cause()
            return await firstElement(where: predicate)
        }
        let timer = WaitLimit(limit, clock) { finish() }
        await cause()
        let element = await firstElement(where: predicate)
        // If the time limit has passed, the sequence has to end, but the timer may not have ended it yet.
        if !timer.end() { finish() }
        return element
    }

    private func firstElement(where predicate: (Element) -> Bool) async -> Element? {
        for await note in self where predicate(note) { return note }
        return nil
    }
}

extension TypedNotificationCenter {
    /// Waits for the next notification of a type that matches a predicate.
    ///
    /// ```swift
    /// let note = await center.first(of: DownloadEnded.self, within: .seconds(30)) { note in note.isMine }
    /// let mine = await center.first(of: DownloadEnded.self, performing: { downloads.start() })
    /// ```
    ///
    /// A notification that was posted earlier doesn't count, unless the type is replayed. In that case, the latest
    /// notification is checked first. If you trigger the notification yourself, do so in `cause`, which runs while the
    /// method is observing. With `cause`, a notification only counts if it is posted after the beginning of the call,
    /// even if the type is replayed.
    ///
    /// - Parameters:
    ///   - type: The notification type, which may be a ``MainActorNotification``.
    ///   - sender: The sender whose notifications count; `nil` for no limit.
    ///   - limit: How long to wait, measured from when `cause` begins; `nil` for no limit.
    ///   - clock: The clock that measures the time.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - predicate: Returns whether a notification matches. By default all do. An unlabeled trailing closure is the
    ///     predicate.
    ///   - cause: Code that causes the notification. It runs to its end, even if the notification arrives earlier.
    /// - Returns: The notification; `nil` if the task was cancelled, the time limit passed or the observation ended.
    public func first<N: NotificationContent & Sendable, C: Clock>(
        of type: N.Type, sender: sending N.Sender? = nil, within limit: Duration? = nil, clock: C = ContinuousClock(),
        fileID: StaticString = #fileID, line: UInt = #line, where predicate: (N) -> Bool = { _ in true },
        performing cause: (() async -> Void)? = nil
    ) async -> N? where C.Duration == Duration {
        let sender = SenderFilter(sending: sender, of: type)
        let notifications = NotificationSequence<N>(buffering: .unbounded, fileID, line) { registration, put in
            let registration = cause == nil ? registration : registration.withoutReplay
            return observe(content: type, sender: sender, registration: registration, using: put)
        }
        return await notifications.first(within: limit, clock: clock, where: predicate, performing: cause ?? {})
    }
}
