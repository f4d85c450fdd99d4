public import Foundation

extension NotificationCenter {
    /// Posts a payload on the main actor as the Foundation notification that a descriptor creates from it.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor.
    ///   - payload: The payload. It doesn't have to be `Sendable`.
    ///   - object: The sender; `nil` for the sender that the descriptor sets, if any.
    /// - Throws: The reason why the payload can't become a notification. In this case, nothing is posted.
    @MainActor
    public func post<D: MainActorNotificationDescriptor>(
        _ descriptor: D, payload: D.Payload, object: Any? = nil
    ) throws(NotificationEncodingError) {
        post(try descriptor.encode(payload).sent(by: object))
    }
}

extension NotificationCenter {
    /// Calls a main-actor closure during each post that matches a descriptor, with the payload of the notification.
    ///
    /// A notification that can't be decoded is skipped and reported. To handle the error, use `addObserver(resultOf:)`.
    ///
    /// ```swift
    /// token = center.addObserver(descriptor: KeyboardNotification.willShow) { payload in print(payload) }
    /// ```
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor.
    ///   - object: The sender to which the observer is limited, held weakly if it is an object; `nil` for no limit. A
    ///     sender that isn't `Sendable` can be passed if nothing else refers to it.
    ///   - condition: Evaluated in each post. A payload it rejects isn't delivered. `nil` accepts all.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure, called on the main actor.
    /// - Returns: The token, which keeps the observer alive.
    public func addObserver<D: MainActorNotificationDescriptor>(
        descriptor: D, object: sending Any? = nil, where condition: (@MainActor (D.Payload) -> Bool)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line, using observer: @escaping @MainActor (D.Payload) -> Void
    ) -> NotificationToken {
        let sender = SenderFilter(mainActorObject: object)
        let registration = ObserverRegistration.onMainActor(fileID, line)
        guard let condition else { return observe(descriptor, sender, registration, using: observer).token() }
        return observe(descriptor, sender, registration.conditional) { payload in
            Refusal.perform(if: condition(payload)) { observer(payload) }
        }
        .token()
    }

    /// Calls a main-actor closure during each post that matches a descriptor, with the payload of the notification, or
    /// with the error if the notification can't be decoded.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor.
    ///   - object: The sender to which the observer is limited, held weakly if it is an object; `nil` for no limit. A
    ///     sender that isn't `Sendable` can be passed if nothing else refers to it.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure, called on the main actor.
    /// - Returns: The token, which keeps the observer alive.
    public func addObserver<D: MainActorNotificationDescriptor>(
        resultOf descriptor: D, object: sending Any? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @MainActor (Result<D.Payload, NotificationDecodingError>) -> Void
    ) -> NotificationToken {
        forwardOnMainActor(
            descriptor.name, from: SenderFilter(mainActorObject: object), registration: .onMainActor(fileID, line),
            reading: { post in
                Result { () throws(NotificationDecodingError) in try descriptor.decode(post.notification) }
            }, to: observer
        ).token()
    }

    /// Calls a main-actor closure during each post that matches a descriptor, with its owner and the payload of the
    /// notification. The observation ends when the owner is deallocated.
    ///
    /// ```swift
    /// center.addObserver(self, descriptor: KeyboardNotification.willShow) { me, payload in me.show(payload) }
    /// ```
    ///
    /// - Parameters:
    ///   - owner: The owner, held weakly and passed to the closure.
    ///   - descriptor: The descriptor.
    ///   - object: The sender to which the observer is limited, held weakly if it is an object; `nil` for no limit. A
    ///     sender that isn't `Sendable` can be passed if nothing else refers to it.
    ///   - condition: Evaluated in each post. A payload it rejects isn't delivered. `nil` accepts all.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure, called on the main actor.
    /// - Returns: A token that can end the observation earlier. You can discard it.
    @discardableResult
    public func addObserver<Owner: AnyObject & Sendable, D: MainActorNotificationDescriptor>(
        _ owner: Owner, descriptor: D, object: sending Any? = nil,
        where condition: (@MainActor (D.Payload) -> Bool)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @MainActor (Owner, D.Payload) -> Void
    ) -> NotificationToken {
        let ownership = Ownership(owner)
        let sender = SenderFilter(mainActorObject: object)
        let registration = ObserverRegistration.onMainActor(fileID, line, ownership.owner)
        return observe(descriptor, sender, condition == nil ? registration : registration.conditional) { payload in
            guard let owner = ownership.owner.object(as: Owner.self) else { return ownership.end() }
            Refusal.perform(if: condition?(payload) ?? true) { observer(owner, payload) }
        }
        .token(owner: ownership)
    }

    func observe<D: MainActorNotificationDescriptor>(
        _ descriptor: D, _ sender: SenderFilter<Any?>, _ registration: ObserverRegistration,
        using observer: @escaping @MainActor (D.Payload) -> Void
    ) -> ForwardedObservation {
        forwardOnMainActor(
            descriptor.name, from: sender, registration: registration,
            reading: { post throws(NotificationDecodingError) in try descriptor.decode(post.notification) },
            to: observer)
    }
}

extension ObserverRegistration {
    fileprivate static func onMainActor(
        _ fileID: StaticString, _ line: UInt, _ owner: ObserverOwner? = nil
    ) -> ObserverRegistration {
        ObserverRegistration(fileID: fileID, line: line, delivery: .inPostOnMainActor, owner: owner)
    }
}
