/// The sender to which an observer is limited, or no limit. A sender that is an object is held weakly. Only centers use
/// this type; a forwarding center passes it on.
public struct SenderFilter<Sender>: Sendable {
    @usableFromInline let limit: SenderLimit?

    /// The sender; `nil` if there is no limit, or if the sender is an object.
    var target: SenderTarget<Sender>? {
        guard let limit, limit.object == nil else { return nil }
        // A limit without an object is a `ValueLimit`, which is only used in filters with the same type `Sender`.
        return unsafe unsafeDowncast(limit, to: ValueLimit<Sender>.self).target
    }

    private init(_ sender: Sender, _ comparison: SenderComparison<Sender>, belongsToMainActor: Bool) {
        switch comparison.rule {
        case .none: limit = nil
        case .identity:
            // Only classes have this rule, so the sender is a single reference. `as AnyObject` would query the runtime.
            let object = SenderObject(unsafe unsafeBitCast(sender, to: AnyObject.self))
            limit = SenderLimit(object, belongsToMainActor: belongsToMainActor)
        case .equality(let hash, let areEqual):
            let target = SenderTarget.value(sender, hash: hash(sender), areEqual: areEqual)
            limit = ValueLimit(target, belongsToMainActor: belongsToMainActor)
        case .dynamic(let key):
            switch key(sender) {
            case .none: limit = nil
            case .object(let object): limit = SenderLimit(SenderObject(object), belongsToMainActor: belongsToMainActor)
            case .value(let value): limit = ValueLimit<Sender>(.key(value), belongsToMainActor: belongsToMainActor)
            case .unmatched(let type):
                limit = ValueLimit<Sender>(.unmatched(type), belongsToMainActor: belongsToMainActor)
            }
        }
    }

    @inlinable
    init(_ limit: SenderLimit?) { self.limit = limit }

    /// Creates a filter that limits observers of a type to a sender. The sender is `Sendable`, because posting threads
    /// access it.
    ///
    /// - Parameters:
    ///   - sender: The sender; `nil` for no limit.
    ///   - type: The notification type.
    public init<N: TypedNotification>(_ sender: Sender?, of type: N.Type) where N.Sender == Sender, Sender: Sendable {
        if let sender { self.init(limitedTo: sender, of: type) } else { self = .everyone }
    }

    /// Creates a filter from a sender that is `Sendable`, or that the caller doesn't use again.
    @inlinable
    package init<N: NotificationContent>(sending sender: sending Sender?, of type: N.Type) where N.Sender == Sender {
        if let sender { self.init(limitedTo: sender, of: type) } else { self.init(nil as SenderLimit?) }
    }

    /// Creates a filter that uses the sender only on the main actor.
    @MainActor
    @usableFromInline
    package init<N: MainActorNotification>(_ sender: Sender?, ofMainActor type: N.Type) where N.Sender == Sender {
        self.init(unchecked: sender, N.senderComparison, belongsToMainActor: true)
    }

    @usableFromInline
    init<N: NotificationContent>(limitedTo sender: Sender, of type: N.Type) where N.Sender == Sender {
        let belongsToMainActor = N.Isolation.self == MainActor.self
        self.init(sender, N.senderComparison, belongsToMainActor: belongsToMainActor)
        guard !belongsToMainActor, case .unmatched(let senderType) = target else { return }
        // The sender was passed as a `sending` argument or is `Sendable`, and this is its last use.
        nonisolated(unsafe) let sender = sender
        // Only on the main actor can a cast find a conformance to `Hashable` that is isolated to the main actor.
        Task { @MainActor in
            if case .value = unsafe SenderKey(of: sender as Any) {
                // This isn't a precondition, because an optimized program doesn't print a precondition's message.
                fatalError(SenderFilter.advice(on: senderType, in: QualifiedTypeName(N.self).full))
            }
        }
    }

    /// Accepts every sender.
    @inlinable public static var everyone: SenderFilter { SenderFilter(nil as SenderLimit?) }

    /// Whether observers are limited to a sender.
    @inlinable public var isLimited: Bool { limit != nil }

    package var isLimitedToValue: Bool {
        switch target {
        case .value, .key: true
        case nil, .unmatched: false
        }
    }

    /// Whether the sender can still post; `false` if it was an object that has been deallocated. The sender of a
    /// main-actor notification always counts as alive, because this property can be read on any thread.
    public var isAlive: Bool {
        limit?.belongsToMainActor == true || isSenderAlive
    }

    /// Whether the sender is alive. For a main-actor notification, read this property on the main actor only.
    package var isSenderAlive: Bool {
        limit?.object?.isAlive ?? true
    }

    /// Returns whether a post from a sender reaches the observer.
    ///
    /// - Parameter sender: The sender of the post.
    /// - Returns: Whether the observer is limited to that sender, or isn't limited.
    public func accepts(_ sender: Sender) -> Bool {
        if let mine = limit?.object { return mine.isSame(as: sender) }
        switch target {
        case nil: return true
        case .value(let mine, _, let areEqual): return areEqual(mine, sender)
        case .key(let mine): return SenderKey.value(mine).isSame(as: SenderKey(of: sender))
        case .unmatched: return false
        }
    }
}

extension SenderFilter {
    static func advice(on sender: Any.Type, in notification: String) -> String {
        """
        observers of \(notification) are limited to a sender of type \(sender), which can only be compared on a global actor, \
        because its conformance to Hashable is isolated to that actor; make the conformance nonisolated, \
        or the notification a MainActorNotification
        """
    }
}

extension SenderFilter: CustomStringConvertible {
    /// A description of the sender: the type and the address of an object, or the description of a value.
    public var description: String {
        if let sender = limit?.object { return describe(sender.type, sender.address) }
        return switch target {
        case nil: "every sender"
        case .value(let sender, _, _): String(describing: sender)
        case .key(let sender): String(describing: sender.base)
        case .unmatched: "a sender that matches no other"
        }
    }
}

extension SenderFilter {
    @usableFromInline package var liveObject: AnyObject? { limit?.object?.object }

    /// The sender as the engine represents it, unless the sender is a live object. A deallocated object can't post, so
    /// it is represented as a sender that matches no other.
    @usableFromInline
    package var engineTarget: SenderTarget<Sender> { target ?? .unmatched(Sender.self) }

    package var erased: SenderFilter<Any?> {
        guard let target else { return SenderFilter<Any?>(limit) }
        let erased: SenderTarget<Any?> =
            switch target {
            case .value(let sender, _, _):
                (sender as? any Hashable).map { .key(AnyHashable($0)) } ?? .unmatched(Sender.self)
            case .key(let sender): .key(sender)
            case .unmatched(let type): .unmatched(type)
            }
        return SenderFilter<Any?>(ValueLimit(erased, belongsToMainActor: limit?.belongsToMainActor == true))
    }

    package var words: String? {
        switch target {
        case .value(let sender, _, _): shownWords(of: sender)
        case .key(let sender): shownWords(of: sender)
        case nil, .unmatched: isLimited ? description : nil
        }
    }

    /// Creates a filter without a check. The sender must be `Sendable`, or the filter only used on the main actor.
    package init(
        unchecked sender: Sender?, _ comparison: SenderComparison<Sender>, belongsToMainActor: Bool = false
    ) {
        guard let sender else {
            self = .everyone
            return
        }
        self.init(sender, comparison, belongsToMainActor: belongsToMainActor)
    }

    /// Returns whether the filter accepts a sender of any type. An object is compared without a cast to the sender
    /// type, because the cast takes longer than the comparison.
    package func accepts(any sender: Any) -> Bool {
        if let mine = limit?.object { return mine.isSame(as: sender) }
        return (sender as? Sender).map(accepts) ?? false
    }

    package var sender: Sender? {
        if let object = limit?.object { return object.object as? Sender }
        return switch target {
        case nil, .unmatched: nil
        case .value(let sender, _, _): sender
        case .key(let sender): sender.base as? Sender
        }
    }
}
