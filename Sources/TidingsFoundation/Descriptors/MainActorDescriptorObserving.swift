public import Foundation

// Observing with a main-actor descriptor, in the post. The sender is only looked at on the main actor.

extension NotificationCenter {
    /// Posts a payload as the Foundation notification that a descriptor makes of it, on the main actor.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor.
    ///   - payload: The payload. It need not be `Sendable`.
    ///   - object: The sender; `nil` for the one that the descriptor sets, if any.
    /// - Throws: An error that says why the descriptor makes no notification of the payload. Nothing is posted then.
    @MainActor
    public func post<D: MainActorNotificationDescriptor>(
        _ descriptor: D, payload: D.Payload, object: Any? = nil
    ) throws(NotificationEncodingError) {
        post(try descriptor.encode(payload).sent(by: object))
    }
}

extension NotificationCenter {
    /// Calls a main-actor closure with the payload of every notification that a descriptor describes, in the post.
    ///
    /// A notification that cannot be decoded is not handed to the closure: it is reported, see ``NotificationReport``. To
    /// see the error where it happens, use `addObserver(resultOf:)`.
    ///
    /// ```swift
    /// token = center.addObserver(descriptor: KeyboardNotification.willShow) { payload in print(payload) }
    /// ```
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor.
    ///   - object: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender. It need
    ///     not be `Sendable`, if nothing else refers to it.
    ///   - condition: Whether the observer wants a payload, asked in the post, where the observer would run. `nil` for every
    ///     payload.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure, called on the main actor.
    /// - Returns: The token, which is the lifetime of the observation.
    public func addObserver<D: MainActorNotificationDescriptor>(
        descriptor: D, object: sending Any? = nil, where condition: (@MainActor (D.Payload) -> Bool)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line, using observer: @escaping @MainActor (D.Payload) -> Void
    ) -> NotificationToken {
        observe(
            descriptor, SenderFilter(mainActorObject: object), .onMainActor(fileID, line), where: condition,
            using: observer)
    }

    /// Calls a main-actor closure with the payload of every notification that a descriptor describes, or with the error that says why it
    /// has none, in the post.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor.
    ///   - object: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender. It need
    ///     not be `Sendable`, if nothing else refers to it.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure, called on the main actor.
    /// - Returns: The token, which is the lifetime of the observation.
    public func addObserver<D: MainActorNotificationDescriptor>(
        resultOf descriptor: D, object: sending Any? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @MainActor (Result<D.Payload, NotificationDecodingError>) -> Void
    ) -> NotificationToken {
        observe(
            resultOf: descriptor, SenderFilter(mainActorObject: object), .onMainActor(fileID, line), using: observer
        ).token()
    }

    /// Calls a main-actor closure with its owner and the payload of every notification that a descriptor describes, in the post, for as
    /// long as the owner lives.
    ///
    /// ```swift
    /// center.addObserver(self, descriptor: KeyboardNotification.willShow) { me, payload in me.show(payload) }
    /// ```
    ///
    /// - Parameters:
    ///   - owner: The owner, held weakly and handed in.
    ///   - descriptor: The descriptor.
    ///   - object: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender. It need
    ///     not be `Sendable`, if nothing else refers to it.
    ///   - condition: Whether the observer wants a payload, asked in the post, where the observer would run. `nil` for every
    ///     payload.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure, called on the main actor.
    /// - Returns: A token, to end the observation earlier. It can be discarded.
    @discardableResult
    public func addObserver<Owner: AnyObject & Sendable, D: MainActorNotificationDescriptor>(
        _ owner: Owner, descriptor: D, object: sending Any? = nil,
        where condition: (@MainActor (D.Payload) -> Bool)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @MainActor (Owner, D.Payload) -> Void
    ) -> NotificationToken {
        observe(owner, descriptor, SenderFilter(mainActorObject: object), condition, fileID, line, using: observer)
    }

    private func observe<Owner: AnyObject & Sendable, D: MainActorNotificationDescriptor>(
        _ owner: Owner, _ descriptor: D, _ sender: SenderFilter<Any?>,
        _ condition: (@MainActor (D.Payload) -> Bool)?, _ fileID: StaticString, _ line: UInt,
        using observer: @escaping @MainActor (Owner, D.Payload) -> Void
    ) -> NotificationToken {
        let ownership = Ownership(owner)
        let registration = ObserverRegistration.onMainActor(fileID, line, ownership.owner)
        return observe(descriptor, sender, condition == nil ? registration : registration.conditional) { payload in
            guard let owner = ownership.owner.object(as: Owner.self) else { return ownership.end() }
            Refusal.perform(if: condition?(payload) ?? true) { observer(owner, payload) }
        }
        .token(owner: ownership)
    }

    private func observe<D: MainActorNotificationDescriptor>(
        _ descriptor: D, _ sender: SenderFilter<Any?>, _ registration: ObserverRegistration,
        where condition: (@MainActor (D.Payload) -> Bool)?, using observer: @escaping @MainActor (D.Payload) -> Void
    ) -> NotificationToken {
        guard let condition else { return observe(descriptor, sender, registration, using: observer).token() }
        return observe(descriptor, sender, registration.conditional) { payload in
            Refusal.perform(if: condition(payload)) { observer(payload) }
        }
        .token()
    }

    /// Registers an observer of the payloads that a descriptor finds, on the main actor. What it cannot decode is reported.
    func observe<D: MainActorNotificationDescriptor>(
        _ descriptor: D, _ sender: SenderFilter<Any?>, _ registration: ObserverRegistration,
        using observer: @escaping @MainActor (D.Payload) -> Void
    ) -> ForwardedObservation {
        forwardOnMainActor(
            descriptor.name, from: sender, registration: registration,
            reading: { post throws(NotificationDecodingError) in try descriptor.decode(post.notification) },
            to: observer)
    }

    private func observe<D: MainActorNotificationDescriptor>(
        resultOf descriptor: D, _ sender: SenderFilter<Any?>, _ registration: ObserverRegistration,
        using observer: @escaping @MainActor (Result<D.Payload, NotificationDecodingError>) -> Void
    ) -> ForwardedObservation {
        forwardOnMainActor(
            descriptor.name, from: sender, registration: registration,
            reading: { post in
                Result { () throws(NotificationDecodingError) in try descriptor.decode(post.notification) }
            }, to: observer)
    }
}

extension ObserverRegistration {
    /// The registration of an observer that is called in the post, on the main actor.
    fileprivate static func onMainActor(
        _ fileID: StaticString, _ line: UInt, _ owner: ObserverOwner? = nil
    ) -> ObserverRegistration {
        ObserverRegistration(fileID: fileID, line: line, delivery: .inPostOnMainActor, owner: owner)
    }
}
