import Foundation

extension NotificationCenter {
    /// Registers an observer of a notification type. If `onMainActor` is `true`, the observer is called only on the
    /// main actor: during a post that is made there, and after a post that is made elsewhere.
    func forward<N: TypedNotification>(
        _ name: Notification.Name, from sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        onMainActor: Bool, toTyped observer: @escaping @Sendable (N) -> Void
    ) -> ForwardedObservation {
        let isConditional = registration.isConditional
        let isSent: @Sendable (IncomingPost, SenderFilter<N.Sender>) -> Bool = { $0.isSent(by: $1, as: N.self) }
        let hand: @Sendable (IncomingPost) -> Void = { $0.hand(to: observer, isConditional: isConditional) }
        return onMainActor
            ? addOnMainActor(to: name, from: sender, registration: registration, comparing: isSent, hand)
            : add(to: name, from: sender, registration: registration, comparing: isSent, hand)
    }

    func forward<Payload>(
        _ name: Notification.Name, from sender: SenderFilter<Any?>, registration: ObserverRegistration,
        reading read: @escaping @Sendable (IncomingPost) throws(NotificationDecodingError) -> Payload,
        to observer: @escaping @Sendable (Payload) -> Void
    ) -> ForwardedObservation {
        add(to: name, from: sender, registration: registration, comparing: { $0.isSent(by: $1) }) { post in
            post.hand(read, to: observer)
        }
    }

    func forwardOnMainActor<Sender, Payload>(
        _ name: Notification.Name, from sender: SenderFilter<Sender>, registration: ObserverRegistration,
        reading read: @escaping @MainActor (IncomingPost) throws(NotificationDecodingError) -> Payload,
        to observer: @escaping @MainActor (Payload) -> Void
    ) -> ForwardedObservation {
        addOnMainActor(to: name, from: sender, registration: registration, comparing: { $0.isSent(by: $1) }) { post in
            // This closure runs on the main actor, during the post, so `post` doesn't cross an isolation boundary.
            nonisolated(unsafe) let post = post
            MainActor.assumeIsolated { unsafe post.hand(read, to: observer) }
        }
    }

    /// The native center compares senders that are objects by identity. It can't compare values: an untyped post
    /// carries a Foundation object, which only the notification type can decode. So an observer that is limited to a
    /// value is registered without the limit, and its closure rejects posts of other senders.
    private func add<Sender>(
        to name: Notification.Name, from sender: SenderFilter<Sender>, registration: ObserverRegistration,
        comparing isSent: @escaping @Sendable (IncomingPost, SenderFilter<Sender>) -> Bool,
        _ hand: @escaping @Sendable (IncomingPost) -> Void
    ) -> ForwardedObservation {
        guard sender.isLimitedToValue else {
            return register(with: name, from: sender.erased, registration: registration) { member in
                { post in if post.reaches(member) { hand(post) } }
            }
        }
        let isConditional = registration.isConditional
        return register(with: name, from: .everyone, registration: registration.with(limit: sender).conditional) {
            member in
            { post in
                post.hand(if: post.reaches(member) && isSent(post, sender), isConditional: isConditional, hand)
            }
        }
    }

    /// The native center would access the sender on the posting thread. So the observer is registered with a condition
    /// that compares senders on the main actor. Posts that the condition rejects don't count as deliveries.
    private func addOnMainActor<Sender>(
        to name: Notification.Name, from sender: SenderFilter<Sender>, registration: ObserverRegistration,
        comparing isSent: @escaping @Sendable (IncomingPost, SenderFilter<Sender>) -> Bool,
        _ hand: @escaping @Sendable (IncomingPost) -> Void
    ) -> ForwardedObservation {
        let limit = MainActorLimit(sender, comparing: isSent)
        let isConditional = registration.isConditional
        let known = registration.with(limit: sender).conditional
        var observation = register(with: name, from: .everyone, registration: known) { member in
            { post in
                post.hand(if: post.reachesOnMainActor(member, limit), isConditional: isConditional, hand)
            }
        }
        if let limit {
            limit.ends(observation.base)
            observation.isSenderAlive = { limit.isSenderAlive }
        }
        return observation
    }

    private func register(
        with name: Notification.Name, from sender: SenderFilter<Any?>, registration: ObserverRegistration,
        _ makeObserver: (NameForwarder.Member) -> @Sendable (IncomingPost) -> Void
    ) -> ForwardedObservation {
        let (forwarder, member) = CenterRegistry.of(self).enroll(in: name, of: self)
        let base = forwarder.observers.observe(
            IncomingPost.self, sender: sender, registration: registration, using: makeObserver(member))
        return ForwardedObservation(base: base, foundationCenter: ObjectIdentifier(self))
    }
}

extension IncomingPost {
    fileprivate func reaches(_ member: NameForwarder.Member) -> Bool { !isLate && member.number <= horizon }

    /// Whether the member's observer receives the post. If this runs off the main actor, the result is `false`, and the
    /// post is marked to be repeated on the main actor.
    fileprivate func reachesOnMainActor<Sender>(_ member: NameForwarder.Member, _ limit: MainActorLimit<Sender>?)
        -> Bool
    {
        if member.number > horizon { return false }
        // A main-actor notification can arrive off the main actor, for example if an untyped observer posts it again.
        guard isOnMainActor else {
            isAwaitedOnMainActor = true
            return false
        }
        return limit?.admits(self) != false
    }

    fileprivate func hand(if isReached: Bool, isConditional: Bool, _ hand: (IncomingPost) -> Void) {
        if isReached { hand(self) }
        // If the observer has its own `where:` condition, `hand` has recorded whether that condition rejected the post.
        if !isReached || !isConditional { Refusal.isNoted = !isReached }
    }

    func hand<N: TypedNotification>(to observer: (N) -> Void, isConditional: Bool = false) {
        do {
            let value = try value(as: N.self)
            observer(value)
            if !isConditional || !Refusal.isNoted { calls += 1 }
        } catch {
            report(error)
        }
    }

    func value<N: TypedNotification>(as type: N.Type) throws(NotificationDecodingError) -> N {
        if let value = typed?.value(as: type) { return value }
        if let value = bridged as? N { return value }
        if typed?.traits.isBridged != false, let type = N.self as? any BridgedNotification.Type {
            let made = try type.init(bridging: notification)
            bridged = made
            if let value = made as? N { return value }
        }
        if let typed {
            throw NotificationDecodingError(
                notification: notification.name.rawValue, keyPath: [], expected: userName(of: N.self),
                found: userName(of: typed.traits.type), reason: .mistyped)
        }
        let bridged = N.self is any BelongsToMainActor.Type ? "MainActorBridgedNotification" : "BridgedNotification"
        throw NotificationDecodingError(
            notification: notification.name.rawValue, keyPath: [], expected: userName(of: N.self), found: nil,
            reason: .untyped, detail: "adopt \(bridged), or use a descriptor")
    }

    fileprivate func hand<Payload>(
        _ read: (IncomingPost) throws(NotificationDecodingError) -> Payload, to observer: (Payload) -> Void
    ) {
        do { observer(try read(self)) } catch { report(error) }
    }

    private func report(_ error: NotificationDecodingError) {
        // The poster is determined once for a post, because capturing the call stack takes as long as a thousand posts.
        if reported.insert(error).inserted {
            NotificationReport(.undecodable, of: error.notification, error, postedBy: knownPoster).send(to: monitoring)
        }
    }
}

extension TypedPost {
    final func value<N: TypedNotification>(as type: N.Type) -> N? {
        if traits.type != type { return nil }
        // The types are equal, so this cast is correct. It is faster than a checked cast.
        return unsafe unsafeDowncast(self, to: TypedPostOf<N>.self).value
    }
}

/// Returns the name of a type. For the wrapper `OnMainActor`, this is the name of the user's notification type.
private func userName(of type: Any.Type) -> String {
    "\((type as? any BelongsToMainActor.Type)?.content ?? type)"
}

extension NotificationCenter {
    func forwardEach(
        _ names: [Notification.Name], _ register: (Notification.Name) -> ForwardedObservation
    ) -> any NumberedObservation {
        names.count == 1 ? register(names[0]) : CombinedObservation(of: names.map(register))
    }
}

struct ForwardedObservation: NumberedObservation {
    let base: any ObserverHandle
    let foundationCenter: ObjectIdentifier
    var isSenderAlive: (@Sendable () -> Bool)?

    var center: ObjectIdentifier? { base.center == nil ? nil : foundationCenter }
    var isActive: Bool { base.isActive && isSenderAlive?() != false }
    package var numbers: [UInt64] { base.knownNumbers }
    package var isCalled: Bool { base.mayBeCalled }
    func cancel() { base.cancel() }
    func end(_ reason: ObservationEndReason) { base.end(reason) }
    func drain() async { await base.drain() }
}
