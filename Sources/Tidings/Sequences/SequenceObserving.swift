extension TypedNotificationCenter {
    /// Returns the notifications of a type as an asynchronous sequence, which starts observing immediately.
    ///
    /// ```swift
    /// for await note in center.notifications(of: SubscriptionsChanged.self, buffering: .latest(10)) {
    ///     print(note.subscribed)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The notification type, which may be a ``MainActorNotification``.
    ///   - sender: The sender to which the sequence is limited, held weakly if it is an object; `nil` for no limit.
    ///   - condition: Evaluated in each post. A notification it rejects isn't delivered or counted. `nil` accepts all.
    ///   - policy: The policy for buffering notifications that arrive faster than an iterator takes them.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: The sequence, which keeps the observation alive.
    @export(implementation)
    public func notifications<N: NotificationContent & Sendable>(
        of type: N.Type, sender: sending N.Sender? = nil, where condition: (@Sendable (N) -> Bool)? = nil,
        buffering policy: BufferingPolicy = .unbounded, fileID: StaticString = #fileID, line: UInt = #line
    ) -> NotificationSequence<N> {
        let sender = SenderFilter(sending: sender, of: type)
        return NotificationSequence(buffering: policy, where: condition, fileID, line) { registration, put in
            observe(content: type, sender: sender, registration: registration, using: put)
        }
    }

    /// Returns the notifications of several types as one asynchronous sequence, in the order in which they were posted.
    ///
    /// The sequence starts observing immediately: one type after the other, in the order given. Notifications that are
    /// posted by the same thread or task arrive in the order posted, whatever their types. All types share one buffer,
    /// its policy, and its count of dropped notifications.
    ///
    /// ```swift
    /// for await note in center.notifications(of: Placed.self, Changed.self) {
    ///     switch note {
    ///     case let note as Placed: add(note)
    ///     case let note as Changed: update(note)
    ///     default: break
    ///     }
    /// }
    /// ```
    ///
    /// Lists of observations contain a row for each type. Each row shows the length of the common buffer.
    ///
    /// - Parameters:
    ///   - first: A notification type, which may be a ``MainActorNotification``.
    ///   - second: Another notification type.
    ///   - others: Further notification types.
    ///   - policy: The policy for buffering notifications that arrive faster than an iterator takes them.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: The sequence, which keeps the observations alive.
    @export(implementation)
    public func notifications<
        First: NotificationContent & Sendable, Second: NotificationContent & Sendable,
        each Other: NotificationContent & Sendable
    >(
        of first: First.Type, _ second: Second.Type, _ others: repeat (each Other).Type,
        buffering policy: BufferingPolicy = .unbounded, fileID: StaticString = #fileID, line: UInt = #line
    ) -> NotificationSequence<any NotificationContent & Sendable> {
        var inlets = [inlet(of: first, .everyone), inlet(of: second, .everyone)]
        repeat inlets.append(inlet(of: each others, .everyone))
        return NotificationSequence(of: inlets, buffering: policy, fileID, line)
    }

    /// Returns the notifications of two types from one sender as one asynchronous sequence, in the order in which they
    /// were posted. There are exactly two types, because Swift can't express that any number of types have the same
    /// sender type.
    ///
    /// - Parameters:
    ///   - first: A notification type, which may be a ``MainActorNotification``.
    ///   - second: Another notification type, with the same type of sender.
    ///   - sender: The sender to which the sequence is limited, held weakly if it is an object; `nil` for no limit.
    ///   - policy: The policy for buffering notifications that arrive faster than an iterator takes them.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: The sequence, which keeps the observations alive.
    @export(implementation)
    public func notifications<First: NotificationContent & Sendable, Second: NotificationContent & Sendable>(
        of first: First.Type, _ second: Second.Type, sender: First.Sender?,
        buffering policy: BufferingPolicy = .unbounded, fileID: StaticString = #fileID, line: UInt = #line
    ) -> NotificationSequence<any NotificationContent & Sendable>
    where First.Sender: Sendable, Second.Sender == First.Sender {
        let first = inlet(of: first, SenderFilter(sending: sender, of: first))
        let second = inlet(of: second, SenderFilter(sending: sender, of: second))
        return NotificationSequence(of: [first, second], buffering: policy, fileID, line)
    }

    @export(implementation)
    func inlet<N: NotificationContent & Sendable>(
        of type: N.Type, _ sender: SenderFilter<N.Sender>
    ) -> SequenceInlet<any NotificationContent & Sendable> {
        SequenceInlet(accepting: { $0 is N }) { registration, put in
            observe(content: type, sender: sender, registration: registration) { note in put(note) }
        }
    }
}
