public import Foundation

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
        var notification = try descriptor.encode(payload)
        if let object { notification.object = object }
        post(notification)
    }

    /// Calls a main-actor closure with the payload of every notification that a descriptor describes, in the post.
    ///
    /// A notification that cannot be decoded is not handed to the closure: it is reported, see ``NotificationReport``. To
    /// see the error where it happens, use `addObserver(resultOf:)`.
    ///
    /// ```swift
    /// center.addObserver(descriptor: KeyboardNotification.willShow) { payload in ... }.store(in: &tokens)
    /// ```
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor.
    ///   - object: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender.
    ///   - fileID: The file of the call. Leave it out.
    ///   - line: The line of the call. Leave it out.
    ///   - observer: The closure.
    /// - Returns: The token, which is the lifetime of the observation.
    public func addObserver<D: MainActorNotificationDescriptor>(
        descriptor: D, object: Any? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @MainActor (D.Payload) -> Void
    ) -> NotificationToken {
        let registration = ObserverRegistration(fileID: fileID, line: line, delivery: .inPostOnMainActor)
        return relayOnMainActor(
            descriptor.name, from: SenderFilter(unchecked: object, .atRunTime), registration: registration
        ) { post in
            post.hand(to: observer, decoding: descriptor)
        }
        .token()
    }

    /// Calls a main-actor closure with the payload of every notification that a descriptor describes, or with the error that
    /// says why it has none, in the post.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor.
    ///   - object: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender.
    ///   - fileID: The file of the call. Leave it out.
    ///   - line: The line of the call. Leave it out.
    ///   - observer: The closure.
    /// - Returns: The token, which is the lifetime of the observation.
    public func addObserver<D: MainActorNotificationDescriptor>(
        resultOf descriptor: D, object: Any? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @MainActor (Result<D.Payload, NotificationDecodingError>) -> Void
    ) -> NotificationToken {
        let registration = ObserverRegistration(fileID: fileID, line: line, delivery: .inPostOnMainActor)
        return relayOnMainActor(
            descriptor.name, from: SenderFilter(unchecked: object, .atRunTime), registration: registration
        ) { post in
            observer(Result { () throws(NotificationDecodingError) in try descriptor.decode(post.notification) })
        }
        .token()
    }

    /// Calls a main-actor closure with its owner and the payload of every notification that a descriptor describes, in the
    /// post, for as long as the owner lives.
    ///
    /// ```swift
    /// center.addObserver(self, descriptor: KeyboardNotification.willShow) { me, payload in me.makeRoom(for: payload) }
    /// ```
    ///
    /// - Parameters:
    ///   - owner: The owner, held weakly and handed in.
    ///   - descriptor: The descriptor.
    ///   - object: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender.
    ///   - fileID: The file of the call. Leave it out.
    ///   - line: The line of the call. Leave it out.
    ///   - observer: The closure.
    /// - Returns: A token, to end the observation earlier. It can be discarded.
    @discardableResult
    public func addObserver<Owner: AnyObject & Sendable, D: MainActorNotificationDescriptor>(
        _ owner: Owner, descriptor: D, object: Any? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @MainActor (Owner, D.Payload) -> Void
    ) -> NotificationToken {
        let ownership = Ownership(owner)
        let registration = ObserverRegistration(
            fileID: fileID, line: line, delivery: .inPostOnMainActor, owner: ownership.owner)
        return relayOnMainActor(
            descriptor.name, from: SenderFilter(unchecked: object, .atRunTime), registration: registration
        ) { [weak owner] post in
            guard let owner else { return ownership.end() }
            post.hand(to: { payload in observer(owner, payload) }, decoding: descriptor)
        }
        .token(owner: ownership)
    }
}
