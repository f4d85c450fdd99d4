extension NotificationSequence {
    /// Runs a closure, if there is one, and waits for the first notification that fits.
    ///
    /// - Parameters:
    ///   - limit: How long to wait, counted from when the closure begins; `nil` for as long as it takes.
    ///   - clock: The clock that measures the time.
    ///   - predicate: Whether a notification fits; any does if there is none.
    ///   - cause: What leads to the notification. It runs to its end, also if the notification comes before.
    /// - Returns: The notification; `nil` if the task was cancelled, the time is over or the sequence has ended. The sequence
    ///   ends when the time is over.
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
        // A sequence whose time is over has ended when this returns, and no other one ends later.
        if !timer.end() { finish() }
        return element
    }

    private func firstElement(where predicate: (Element) -> Bool) async -> Element? {
        for await note in self where predicate(note) { return note }
        return nil
    }
}

extension TypedNotificationCenter {
    /// Waits for the first notification of a type that is posted from now on.
    ///
    /// ```swift
    /// let note = await center.first(of: DownloadEnded.self, within: .seconds(30)) { note in note.isMine }
    /// let mine = await center.first(of: DownloadEnded.self, performing: { downloads.start() })
    /// ```
    ///
    /// What is posted before this has begun to observe is missed, unless the type is replayed: then the latest is looked at first.
    /// If you cause the notification yourself, do it in `cause`, which runs while this observes: then what is posted from now on
    /// counts, also of a type that is replayed.
    ///
    /// - Parameters:
    ///   - type: The notification type, of either kind.
    ///   - sender: The sender that counts; `nil` for every sender.
    ///   - limit: How long to wait, counted from when `cause` begins; `nil` for as long as it takes.
    ///   - clock: The clock that measures the time.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - predicate: Whether it is the one; any is if there is no predicate. A closure without a label is this one.
    ///   - cause: What leads to the notification, if you do. It runs to its end, also if the notification comes before.
    /// - Returns: The notification; `nil` if the task was cancelled or the time is over.
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
