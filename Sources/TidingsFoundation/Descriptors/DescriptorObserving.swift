public import Foundation

extension NotificationCenter {
    /// Posts a payload as the Foundation notification that a descriptor creates from it.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor.
    ///   - payload: The payload.
    ///   - object: The sender; `nil` for the sender that the descriptor sets, if any.
    /// - Throws: The reason why the payload can't become a notification. In this case, nothing is posted.
    public func post<D: NotificationDescriptor>(
        _ descriptor: D, payload: D.Payload, object: Any? = nil
    ) throws(NotificationEncodingError) {
        post(try descriptor.encode(payload).sent(by: object))
    }
}

extension NotificationCenter {
    /// Calls a closure during each post that matches a descriptor, with the payload of the notification.
    ///
    /// A notification that can't be decoded is skipped and reported. To handle the error, use `addObserver(resultOf:)`.
    ///
    /// ```swift
    /// token = center.addObserver(descriptor: DownloadFinished()) { payload in print(payload) }
    /// ```
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor.
    ///   - object: The sender to which the observer is limited, held weakly if it is an object; `nil` for no limit.
    ///   - condition: Evaluated in each post. A payload it rejects isn't delivered. `nil` accepts all.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure, called on the thread that posts.
    /// - Returns: The token, which keeps the observer alive.
    public func addObserver<D: NotificationDescriptor>(
        descriptor: D, object: (any Sendable)? = nil, where condition: (@Sendable (D.Payload) -> Bool)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line, using observer: @escaping @Sendable (D.Payload) -> Void
    ) -> NotificationToken {
        let sender = SenderFilter(object: object)
        let registration = ObserverRegistration(fileID: fileID, line: line)
        guard let condition else { return observe(descriptor, sender, registration, using: observer).token() }
        return observe(descriptor, sender, registration.conditional) { payload in
            Refusal.perform(if: condition(payload)) { observer(payload) }
        }
        .token()
    }

    /// Calls a closure during each post that matches a descriptor, with the payload of the notification, or with the
    /// error if the notification can't be decoded.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor.
    ///   - object: The sender to which the observer is limited, held weakly if it is an object; `nil` for no limit.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure, called on the thread that posts.
    /// - Returns: The token, which keeps the observer alive.
    public func addObserver<D: NotificationDescriptor>(
        resultOf descriptor: D, object: (any Sendable)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @Sendable (Result<D.Payload, NotificationDecodingError>) -> Void
    ) -> NotificationToken {
        forward(
            descriptor.name, from: SenderFilter(object: object),
            registration: ObserverRegistration(fileID: fileID, line: line),
            reading: { post in
                Result { () throws(NotificationDecodingError) in try descriptor.decode(post.notification) }
            }, to: observer
        ).token()
    }

    /// Calls a closure during each post that matches a descriptor, with its owner and the payload of the notification.
    /// The observation ends when the owner is deallocated.
    ///
    /// ```swift
    /// center.addObserver(self, descriptor: DownloadFinished()) { me, payload in me.show(payload) }
    /// ```
    ///
    /// - Parameters:
    ///   - owner: The owner, held weakly and passed to the closure.
    ///   - descriptor: The descriptor.
    ///   - object: The sender to which the observer is limited, held weakly if it is an object; `nil` for no limit.
    ///   - condition: Evaluated in each post. A payload it rejects isn't delivered. `nil` accepts all.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure, called on the thread that posts.
    /// - Returns: A token that can end the observation earlier. You can discard it.
    @discardableResult
    public func addObserver<Owner: AnyObject & Sendable, D: NotificationDescriptor>(
        _ owner: Owner, descriptor: D, object: (any Sendable)? = nil,
        where condition: (@Sendable (D.Payload) -> Bool)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @Sendable (Owner, D.Payload) -> Void
    ) -> NotificationToken {
        let ownership = Ownership(owner)
        let sender = SenderFilter(object: object)
        let registration = ObserverRegistration(fileID: fileID, line: line, owner: ownership.owner)
        return observe(descriptor, sender, condition == nil ? registration : registration.conditional) { payload in
            guard let owner = ownership.owner.object(as: Owner.self) else { return ownership.end() }
            Refusal.perform(if: condition?(payload) ?? true) { observer(owner, payload) }
        }
        .token(owner: ownership)
    }

    func observe<D: NotificationDescriptor>(
        _ descriptor: D, _ sender: SenderFilter<Any?>, _ registration: ObserverRegistration,
        using observer: @escaping @Sendable (D.Payload) -> Void
    ) -> ForwardedObservation {
        forward(
            descriptor.name, from: sender, registration: registration,
            reading: { post throws(NotificationDecodingError) in try descriptor.decode(post.notification) },
            to: observer)
    }
}

extension Notification {
    func sent(by object: Any?) -> Notification {
        var notification = self
        if let object { notification.object = object }
        return notification
    }
}

extension SenderFilter<Any?> {
    /// The object must be `Sendable`, because each posting thread compares and retains it.
    init(object: (any Sendable)?) { self.init(unchecked: object, .atRunTime) }

    init(mainActorObject object: sending Any?) { self.init(unchecked: object, .atRunTime, belongsToMainActor: true) }
}
