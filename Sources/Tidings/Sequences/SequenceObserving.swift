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
    ///   - condition: Whether the sequence is to have a notification, asked in the post, on the thread that posts. A refused one
    ///     never waits, takes no room in the queue, and is not counted as delivered. `nil` for every notification.
    ///   - policy: What becomes of notifications that arrive faster than an iterator takes them.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: The sequence, which is the lifetime of the observation.
    @inlinable
    public func notifications<N: TypedNotification & Sendable>(
        of type: N.Type, where condition: (@Sendable (N) -> Bool)? = nil,
        buffering policy: BufferingPolicy = .unbounded, fileID: StaticString = #fileID, line: UInt = #line
    ) -> NotificationSequence<N> {
        sequence(of: type, .everyone, condition, policy, fileID, line)
    }

    /// The notifications of a type from one sender, as an asynchronous sequence.
    ///
    /// Observing starts now, not with the loop.
    ///
    /// - Parameters:
    ///   - type: The notification type.
    ///   - sender: The sender to which the sequence is limited, held weakly if it is an object; `nil` for every sender.
    ///   - condition: Whether the sequence is to have a notification, asked in the post; `nil` for every notification.
    ///   - policy: What becomes of notifications that arrive faster than an iterator takes them.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: The sequence, which is the lifetime of the observation.
    @inlinable
    public func notifications<N: TypedNotification & Sendable>(
        of type: N.Type, sender: N.Sender?, where condition: (@Sendable (N) -> Bool)? = nil,
        buffering policy: BufferingPolicy = .unbounded, fileID: StaticString = #fileID, line: UInt = #line
    ) -> NotificationSequence<N> where N.Sender: Sendable {
        sequence(of: type, SenderFilter(sender, of: type), condition, policy, fileID, line)
    }

    /// The main-actor notifications of a type, as an asynchronous sequence. It can be read anywhere.
    ///
    /// Observing starts now, not with the loop.
    ///
    /// - Parameters:
    ///   - type: The notification type, which has to be `Sendable` to leave the main actor.
    ///   - condition: Whether the sequence is to have a notification, asked in the post; `nil` for every notification.
    ///   - policy: What becomes of notifications that arrive faster than an iterator takes them.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: The sequence, which is the lifetime of the observation.
    public func notifications<N: MainActorNotification & Sendable>(
        of type: N.Type, where condition: (@Sendable (N) -> Bool)? = nil,
        buffering policy: BufferingPolicy = .unbounded, fileID: StaticString = #fileID, line: UInt = #line
    ) -> NotificationSequence<N> {
        sequence(of: type, .everyone, condition, policy, fileID, line)
    }

    /// The main-actor notifications of a type from one sender, as an asynchronous sequence. It can be read anywhere.
    ///
    /// Observing starts now, not with the loop.
    ///
    /// - Parameters:
    ///   - type: The notification type, which has to be `Sendable` to leave the main actor.
    ///   - sender: The sender to which the sequence is limited, held weakly if it is an object; `nil` for every sender.
    ///   - condition: Whether the sequence is to have a notification, asked in the post; `nil` for every notification.
    ///   - policy: What becomes of notifications that arrive faster than an iterator takes them.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: The sequence, which is the lifetime of the observation.
    @MainActor
    public func notifications<N: MainActorNotification & Sendable>(
        of type: N.Type, sender: N.Sender?, where condition: (@Sendable (N) -> Bool)? = nil,
        buffering policy: BufferingPolicy = .unbounded, fileID: StaticString = #fileID, line: UInt = #line
    ) -> NotificationSequence<N> {
        sequence(of: type, SenderFilter(sender, ofMainActor: type), condition, policy, fileID, line)
    }

    @inlinable
    func sequence<N: TypedNotification & Sendable>(
        of type: N.Type, _ sender: SenderFilter<N.Sender>, _ condition: (@Sendable (N) -> Bool)?,
        _ policy: BufferingPolicy, _ fileID: StaticString, _ line: UInt
    ) -> NotificationSequence<N> {
        NotificationSequence(buffering: policy, fileID, line) { registration, put in
            guard let condition else { return observe(type, sender: sender, registration: registration, using: put) }
            return observe(type, sender: sender, registration: registration.conditional) { note in
                Refusal.perform(if: condition(note)) { put(note) }
            }
        }
    }

    private func sequence<N: MainActorNotification & Sendable>(
        of type: N.Type, _ sender: SenderFilter<N.Sender>, _ condition: (@Sendable (N) -> Bool)?,
        _ policy: BufferingPolicy, _ fileID: StaticString, _ line: UInt
    ) -> NotificationSequence<N> {
        NotificationSequence(buffering: policy, fileID, line) { registration, put in
            guard let condition else {
                return observe(OnMainActor<N>.self, sender: sender, registration: registration) { put($0.notification) }
            }
            return observe(OnMainActor<N>.self, sender: sender, registration: registration.conditional) { note in
                Refusal.perform(if: condition(note.notification)) { put(note.notification) }
            }
        }
    }
}
