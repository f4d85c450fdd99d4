extension TypedNotificationCenter {
    /// Calls a main-actor closure in every post of a main-actor notification, synchronously.
    ///
    /// ```swift
    /// token = center.addObserver(for: WillShow.self) { note in makeRoom(for: note.view) }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited, held weakly if it is an object; `nil` for no limit. A
    ///     sender that isn't `Sendable` can be passed only if nothing else refers to it. Otherwise compare the sender
    ///     in the condition, as in `where: { $0.sender === player }`.
    ///   - condition: Evaluated in each post. A notification it rejects isn't delivered or counted. `nil` accepts all.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: The token, which keeps the observer alive.
    @export(implementation)
    public func addObserver<N: MainActorNotification>(
        for type: N.Type, sender: sending N.Sender? = nil, where condition: (@MainActor (N) -> Bool)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line, using observer: @escaping @MainActor (N) -> Void
    ) -> NotificationToken {
        observe(type, sender: SenderFilter(sending: sender, of: type), where: condition, fileID, line, using: observer)
    }

    @export(implementation)
    func observe<N: MainActorNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, where condition: (@MainActor (N) -> Bool)?,
        _ fileID: StaticString, _ line: UInt, using observer: @escaping @MainActor (N) -> Void
    ) -> NotificationToken {
        let registration = ObserverRegistration(fileID: fileID, line: line, delivery: .inPostOnMainActor)
        if let condition { return observe(sender, registration, where: condition, using: observer) }
        return observe(
            OnMainActor<N>.self, sender: sender, registration: registration, using: OnMainActor.checking(observer)
        )
        .token()
    }

    @usableFromInline
    func observe<N: MainActorNotification>(
        _ sender: SenderFilter<N.Sender>, _ registration: ObserverRegistration,
        where condition: @escaping @MainActor (N) -> Bool, using observer: @escaping @MainActor (N) -> Void
    ) -> NotificationToken {
        observe(OnMainActor<N>.self, sender: sender, registration: registration.conditional) { note in
            note.call { note in Refusal.perform(if: condition(note)) { observer(note) } }
        }
        .token()
    }

    /// Calls a main-actor closure with its owner in every post of a main-actor notification, while the owner is alive.
    ///
    /// ```swift
    /// center.addObserver(self, for: WillShow.self) { me, note in me.inset(for: note.view) }
    /// ```
    ///
    /// - Parameters:
    ///   - owner: The owner, held weakly and passed to the closure.
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited, held weakly if it is an object; `nil` for no limit.
    ///   - condition: Evaluated in each post. A notification it rejects isn't delivered or counted. `nil` accepts all.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: A token that can end the observation earlier. You can discard it.
    @export(implementation)
    @discardableResult
    public func addObserver<Owner: AnyObject & Sendable, N: MainActorNotification>(
        _ owner: Owner, for type: N.Type, sender: sending N.Sender? = nil,
        where condition: (@MainActor (N) -> Bool)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @MainActor (Owner, N) -> Void
    ) -> NotificationToken {
        let sender = SenderFilter(sending: sender, of: type)
        return observe(type, sender: sender, for: owner, where: condition, fileID, line, using: observer)
    }

    @export(implementation)
    package func observe<Owner: AnyObject & Sendable, N: MainActorNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, for owner: Owner, where condition: (@MainActor (N) -> Bool)?,
        _ fileID: StaticString, _ line: UInt, using observer: @escaping @MainActor (Owner, N) -> Void
    ) -> NotificationToken {
        let ownership = Ownership(owner)
        let registration = ObserverRegistration(
            fileID: fileID, line: line, delivery: .inPostOnMainActor, owner: ownership.owner)
        if let condition {
            return observe(OnMainActor<N>.self, sender: sender, registration: registration.conditional) {
                note in
                guard let owner = ownership.owner.object(as: Owner.self) else { return ownership.end() }
                note.call { note in Refusal.perform(if: condition(note)) { observer(owner, note) } }
            }
            .token(owner: ownership)
        }
        let body: @MainActor (N) -> Void = { note in
            guard let owner = ownership.owner.object(as: Owner.self) else { return ownership.end() }
            observer(owner, note)
        }
        return observe(
            OnMainActor<N>.self, sender: sender, registration: registration, using: OnMainActor.checking(body)
        )
        .token(owner: ownership)
    }
}
