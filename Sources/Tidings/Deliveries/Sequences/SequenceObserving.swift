extension TypedNotificationCenter {
    /// The notifications of a type, as an asynchronous sequence.
    ///
    /// Observing starts now, not with the loop.
    ///
    /// ```swift
    /// for await note in center.notifications(of: SubscriptionsChanged.self, buffering: .latest(10)) {
    ///     print(note.subscribed)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The notification type.
    ///   - sender: The sender to which the sequence is limited, held weakly if it is an object; `nil` for every sender.
    ///   - policy: What becomes of notifications that arrive faster than an iterator takes them.
    ///   - fileID: The file of the call. Leave it out.
    ///   - line: The line of the call. Leave it out.
    /// - Returns: The sequence, which is the lifetime of the observation.
    @inlinable
    public func notifications<N: TypedNotification & Sendable>(
        of type: N.Type, sender: N.Sender? = nil, buffering policy: BufferingPolicy = .unbounded,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> NotificationSequence<N> {
        let registration = ObserverRegistration(fileID: fileID, line: line, delivery: .sequence)
        return NotificationSequence(registration, buffering: policy) { registration, put in
            observe(
                type, sender: SenderFilter(unchecked: sender, N.senderComparison), registration: registration,
                using: put)
        }
    }
}

extension NotificationSequence {
    /// Makes a sequence of what an observation hands on.
    ///
    /// - Parameters:
    ///   - registration: What is known about the sequence.
    ///   - policy: What becomes of elements that arrive faster than an iterator takes them.
    ///   - observe: Begins to observe, with the registration and the closure it is given. When the closure is let go, the
    ///     sequence has ended.
    @inlinable
    package init(
        _ registration: ObserverRegistration, buffering policy: BufferingPolicy,
        observe: (ObserverRegistration, @escaping @Sendable (Element) -> Void) -> any ObserverHandle
    ) {
        let source = SequenceSource<Element>(buffering: policy)
        let entrance = SequenceEntrance(source)
        let observation = observe(registration.with(queue: source)) { element in entrance.put(element) }
        self.init(lifetime: SequenceLifetime(source, observation: observation))
    }
}
