extension TypedNotificationCenter {
    /// The notifications of several types, as one asynchronous sequence, in the order in which they were posted.
    ///
    /// Observing starts now, not with the loop: one type after the other, in the order given. What one thread or task posts comes
    /// in the order in which it was posted, whatever its types. All types share a buffer, its policy, and the number of what it
    /// dropped.
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
    /// A list of observations has a line for each type, with the number of all notifications that wait in the sequence.
    ///
    /// - Parameters:
    ///   - first: A notification type.
    ///   - second: Another one.
    ///   - others: Further ones.
    ///   - policy: What becomes of notifications that arrive faster than an iterator takes them.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: The sequence, which is the lifetime of the observation.
    public func notifications<
        First: TypedNotification & Sendable, Second: TypedNotification & Sendable,
        each Other: TypedNotification & Sendable
    >(
        of first: First.Type, _ second: Second.Type, _ others: repeat (each Other).Type,
        buffering policy: BufferingPolicy = .unbounded, fileID: StaticString = #fileID, line: UInt = #line
    ) -> NotificationSequence<any TypedNotification & Sendable> {
        NotificationSequence(of: inlets(of: first, second, repeat each others), buffering: policy, fileID, line)
    }

    /// The notifications of two types from one sender, as one asynchronous sequence, in the order in which they were posted.
    ///
    /// There are two, and not any number, as the language cannot yet demand of any number of types that their senders are of one
    /// type.
    ///
    /// - Parameters:
    ///   - first: A notification type.
    ///   - second: Another one, with the same type of sender.
    ///   - sender: The sender to which the sequence is limited, held weakly if it is an object; `nil` for every sender.
    ///   - policy: What becomes of notifications that arrive faster than an iterator takes them.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: The sequence, which is the lifetime of the observation.
    public func notifications<First: TypedNotification & Sendable, Second: TypedNotification & Sendable>(
        of first: First.Type, _ second: Second.Type, sender: First.Sender?,
        buffering policy: BufferingPolicy = .unbounded, fileID: StaticString = #fileID, line: UInt = #line
    ) -> NotificationSequence<any TypedNotification & Sendable>
    where First.Sender: Sendable, Second.Sender == First.Sender {
        let first = inlet(of: first, SenderFilter(sender, of: first))
        let second = inlet(of: second, SenderFilter(sender, of: second))
        return NotificationSequence(of: [first, second], buffering: policy, fileID, line)
    }

    /// The main-actor notifications of several types, as one asynchronous sequence, in the order in which they were posted. It
    /// can be read anywhere.
    ///
    /// - Parameters:
    ///   - first: A notification type, which has to be `Sendable` to leave the main actor.
    ///   - second: Another one.
    ///   - others: Further ones.
    ///   - policy: What becomes of notifications that arrive faster than an iterator takes them.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: The sequence, which is the lifetime of the observation.
    public func notifications<
        First: MainActorNotification & Sendable, Second: MainActorNotification & Sendable,
        each Other: MainActorNotification & Sendable
    >(
        of first: First.Type, _ second: Second.Type, _ others: repeat (each Other).Type,
        buffering policy: BufferingPolicy = .unbounded, fileID: StaticString = #fileID, line: UInt = #line
    ) -> NotificationSequence<any MainActorNotification & Sendable> {
        NotificationSequence(of: inlets(of: first, second, repeat each others), buffering: policy, fileID, line)
    }

    /// The main-actor notifications of two types from one sender, as one asynchronous sequence, in the order in which they were
    /// posted. It can be read anywhere.
    ///
    /// - Parameters:
    ///   - first: A notification type, which has to be `Sendable` to leave the main actor.
    ///   - second: Another one, with the same type of sender.
    ///   - sender: The sender to which the sequence is limited, held weakly if it is an object; `nil` for every sender.
    ///   - policy: What becomes of notifications that arrive faster than an iterator takes them.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: The sequence, which is the lifetime of the observation.
    @MainActor
    public func notifications<First: MainActorNotification & Sendable, Second: MainActorNotification & Sendable>(
        of first: First.Type, _ second: Second.Type, sender: First.Sender?,
        buffering policy: BufferingPolicy = .unbounded, fileID: StaticString = #fileID, line: UInt = #line
    ) -> NotificationSequence<any MainActorNotification & Sendable>
    where Second.Sender == First.Sender {
        let first = inlet(of: first, SenderFilter(sender, ofMainActor: first))
        let second = inlet(of: second, SenderFilter(sender, ofMainActor: second))
        return NotificationSequence(of: [first, second], buffering: policy, fileID, line)
    }

    private func inlets<each N: TypedNotification & Sendable>(
        of types: repeat (each N).Type
    ) -> [SequenceInlet<any TypedNotification & Sendable>] {
        var inlets: [SequenceInlet<any TypedNotification & Sendable>] = []
        repeat inlets.append(inlet(of: each types, .everyone))
        return inlets
    }

    private func inlets<each N: MainActorNotification & Sendable>(
        of types: repeat (each N).Type
    ) -> [SequenceInlet<any MainActorNotification & Sendable>] {
        var inlets: [SequenceInlet<any MainActorNotification & Sendable>] = []
        repeat inlets.append(inlet(of: each types, .everyone))
        return inlets
    }

    private func inlet<N: TypedNotification & Sendable>(
        of type: N.Type, _ sender: SenderFilter<N.Sender>
    ) -> SequenceInlet<any TypedNotification & Sendable> {
        SequenceInlet { registration, put in
            observe(type, sender: sender, registration: registration) { note in put(note) }
        }
    }

    private func inlet<N: MainActorNotification & Sendable>(
        of type: N.Type, _ sender: SenderFilter<N.Sender>
    ) -> SequenceInlet<any MainActorNotification & Sendable> {
        SequenceInlet { registration, put in
            observe(OnMainActor<N>.self, sender: sender, registration: registration) { note in put(note.notification) }
        }
    }
}
