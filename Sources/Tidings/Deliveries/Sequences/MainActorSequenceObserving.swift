extension TypedNotificationCenter {
    /// The main-actor notifications of a type, as an asynchronous sequence. It can be read anywhere.
    ///
    /// Observing starts now, not with the loop.
    ///
    /// - Parameters:
    ///   - type: The notification type, which has to be `Sendable` to leave the main actor.
    ///   - sender: The sender to which the sequence is limited, held weakly if it is an object; `nil` for every sender.
    ///   - policy: What becomes of notifications that arrive faster than an iterator takes them.
    ///   - fileID: The file of the call. Leave it out.
    ///   - line: The line of the call. Leave it out.
    /// - Returns: The sequence, which is the lifetime of the observation.
    public func notifications<N: MainActorNotification & Sendable>(
        of type: N.Type, sender: N.Sender? = nil, buffering policy: BufferingPolicy = .unbounded,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> NotificationSequence<N> {
        let registration = ObserverRegistration(fileID: fileID, line: line, delivery: .sequence)
        return NotificationSequence(registration, buffering: policy) { registration, put in
            observe(
                OnMainActor<N>.self, sender: SenderFilter(unchecked: sender, N.senderComparison),
                registration: registration
            ) { note in put(note.notification) }
        }
    }

    /// Waits for the first main-actor notification of a type that is posted from now on.
    ///
    /// - Parameters:
    ///   - type: The notification type, which has to be `Sendable` to leave the main actor.
    ///   - sender: The sender that counts; `nil` for every sender.
    ///   - timeout: How long to wait; `nil` for as long as it takes.
    ///   - clock: The clock that measures the timeout.
    ///   - fileID: The file of the call. Leave it out.
    ///   - line: The line of the call. Leave it out.
    ///   - predicate: Whether it is the one; any is if you leave it out.
    /// - Returns: The notification; `nil` if the task was cancelled or the time is over.
    public func first<N: MainActorNotification & Sendable, C: Clock>(
        of type: N.Type, sender: N.Sender? = nil, timeout: Duration? = nil, clock: C = ContinuousClock(),
        fileID: StaticString = #fileID, line: UInt = #line, where predicate: (N) -> Bool = { _ in true }
    ) async -> N? where C.Duration == Duration {
        await notifications(of: type, sender: sender, fileID: fileID, line: line)
            .first(timeout: timeout, clock: clock, where: predicate, performing: {})
    }

    /// Runs a closure while observing, and waits for the first main-actor notification of a type that is posted from then on.
    ///
    /// - Parameters:
    ///   - type: The notification type, which has to be `Sendable` to leave the main actor.
    ///   - sender: The sender that counts; `nil` for every sender.
    ///   - timeout: How long to wait, counted from when the closure begins; `nil` for as long as it takes.
    ///   - clock: The clock that measures the timeout.
    ///   - fileID: The file of the call. Leave it out.
    ///   - line: The line of the call. Leave it out.
    ///   - predicate: Whether it is the one; any is if you leave it out.
    ///   - cause: What leads to the notification. It runs to its end, also if the notification comes before.
    /// - Returns: The notification; `nil` if the task was cancelled or the time is over.
    public func first<N: MainActorNotification & Sendable, C: Clock>(
        of type: N.Type, sender: N.Sender? = nil, timeout: Duration? = nil, clock: C = ContinuousClock(),
        fileID: StaticString = #fileID, line: UInt = #line, where predicate: (N) -> Bool = { _ in true },
        performing cause: () async -> Void
    ) async -> N? where C.Duration == Duration {
        await notifications(of: type, sender: sender, fileID: fileID, line: line)
            .first(timeout: timeout, clock: clock, where: predicate, performing: cause)
    }
}
