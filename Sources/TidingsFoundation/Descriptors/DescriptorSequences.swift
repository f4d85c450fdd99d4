public import Foundation

extension NotificationCenter {
    /// The payloads of every notification that a descriptor describes, as an asynchronous sequence.
    ///
    /// Observing starts now, not with the loop. A notification that cannot be decoded is left out and reported, see
    /// ``NotificationReport``.
    ///
    /// ```swift
    /// for await payload in center.notifications(of: DownloadFinished()) { ... }
    /// ```
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor.
    ///   - policy: What becomes of payloads that arrive faster than an iterator takes them.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: The sequence, which is the lifetime of the observation.
    public func notifications<D: NotificationDescriptor>(
        of descriptor: D, buffering policy: BufferingPolicy = .unbounded, fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> NotificationSequence<D.Payload> where D.Payload: Sendable {
        sequence(of: descriptor, .everyone, policy, fileID, line)
    }

    /// The payloads of every notification from one sender that a descriptor describes, as an asynchronous sequence.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor.
    ///   - object: The sender to which the sequence is limited, held weakly if it is an object; `nil` for every sender.
    ///   - policy: What becomes of payloads that arrive faster than an iterator takes them.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: The sequence, which is the lifetime of the observation.
    public func notifications<D: NotificationDescriptor>(
        of descriptor: D, object: (any Sendable)?, buffering policy: BufferingPolicy = .unbounded,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> NotificationSequence<D.Payload> where D.Payload: Sendable {
        sequence(of: descriptor, SenderFilter(object: object), policy, fileID, line)
    }

    private func sequence<D: NotificationDescriptor>(
        of descriptor: D, _ sender: SenderFilter<Any?>, _ policy: BufferingPolicy, _ fileID: StaticString, _ line: UInt
    ) -> NotificationSequence<D.Payload> where D.Payload: Sendable {
        NotificationSequence(buffering: policy, fileID, line) { registration, put in
            observe(descriptor, sender, registration, using: put)
        }
    }

    /// Waits for the payload of the first notification that a descriptor describes and that is posted from now on.
    ///
    /// ```swift
    /// let payload = await center.first(of: DownloadFinished(), within: .seconds(30))
    /// ```
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor.
    ///   - limit: How long to wait; `nil` for as long as it takes.
    ///   - clock: The clock that measures the time.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - predicate: Whether a payload is the one. By default, any is.
    /// - Returns: The payload; `nil` if the task was cancelled or the time is over.
    public func first<D: NotificationDescriptor, C: Clock>(
        of descriptor: D, within limit: Duration? = nil, clock: C = ContinuousClock(),
        fileID: StaticString = #fileID, line: UInt = #line, where predicate: (D.Payload) -> Bool = { _ in true }
    ) async -> D.Payload? where D.Payload: Sendable, C.Duration == Duration {
        await notifications(of: descriptor, fileID: fileID, line: line)
            .first(within: limit, clock: clock, where: predicate, performing: {})
    }

    /// Waits for the payload of the first notification from one sender that a descriptor describes and that is posted from
    /// now on.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor.
    ///   - object: The sender that counts; `nil` for every sender.
    ///   - limit: How long to wait; `nil` for as long as it takes.
    ///   - clock: The clock that measures the time.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - predicate: Whether a payload is the one. By default, any is.
    /// - Returns: The payload; `nil` if the task was cancelled or the time is over.
    public func first<D: NotificationDescriptor, C: Clock>(
        of descriptor: D, object: (any Sendable)?, within limit: Duration? = nil, clock: C = ContinuousClock(),
        fileID: StaticString = #fileID, line: UInt = #line, where predicate: (D.Payload) -> Bool = { _ in true }
    ) async -> D.Payload? where D.Payload: Sendable, C.Duration == Duration {
        await notifications(of: descriptor, object: object, fileID: fileID, line: line)
            .first(within: limit, clock: clock, where: predicate, performing: {})
    }

    /// Runs a closure while observing, and waits for the payload of the first notification that a descriptor describes and
    /// that is posted from then on.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor.
    ///   - limit: How long to wait, counted from when the closure begins; `nil` for as long as it takes.
    ///   - clock: The clock that measures the time.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - predicate: Whether a payload is the one. By default, any is.
    ///   - cause: What leads to the notification. It runs to its end, also if the notification comes before.
    /// - Returns: The payload; `nil` if the task was cancelled or the time is over.
    public func first<D: NotificationDescriptor, C: Clock>(
        of descriptor: D, within limit: Duration? = nil, clock: C = ContinuousClock(),
        fileID: StaticString = #fileID, line: UInt = #line, where predicate: (D.Payload) -> Bool = { _ in true },
        performing cause: () async -> Void
    ) async -> D.Payload? where D.Payload: Sendable, C.Duration == Duration {
        await notifications(of: descriptor, fileID: fileID, line: line)
            .first(within: limit, clock: clock, where: predicate, performing: cause)
    }

    /// Runs a closure while observing, and waits for the payload of the first notification from one sender that a
    /// descriptor describes and that is posted from then on.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor.
    ///   - object: The sender that counts; `nil` for every sender.
    ///   - limit: How long to wait, counted from when the closure begins; `nil` for as long as it takes.
    ///   - clock: The clock that measures the time.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - predicate: Whether a payload is the one. By default, any is.
    ///   - cause: What leads to the notification. It runs to its end, also if the notification comes before.
    /// - Returns: The payload; `nil` if the task was cancelled or the time is over.
    public func first<D: NotificationDescriptor, C: Clock>(
        of descriptor: D, object: (any Sendable)?, within limit: Duration? = nil, clock: C = ContinuousClock(),
        fileID: StaticString = #fileID, line: UInt = #line, where predicate: (D.Payload) -> Bool = { _ in true },
        performing cause: () async -> Void
    ) async -> D.Payload? where D.Payload: Sendable, C.Duration == Duration {
        await notifications(of: descriptor, object: object, fileID: fileID, line: line)
            .first(within: limit, clock: clock, where: predicate, performing: cause)
    }
}
