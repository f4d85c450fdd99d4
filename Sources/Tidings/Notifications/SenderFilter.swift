/// The sender to which an observer is limited, if it is: what a center compares the sender of each post with.
///
/// An object is held weakly. Only who writes a center meets this type; a center that forwards passes it on.
public struct SenderFilter<Sender>: Sendable {
    /// The limit; `nil` for every sender, so that an observer without a limit pays nothing for the possibility.
    @usableFromInline let limit: Limit?

    /// A sender, and how it is compared.
    ///
    /// A plain notification's is only made of a `Sendable` sender, and that of a main-actor notification looks at its sender on
    /// the main actor alone.
    @usableFromInline
    final class Limit: @unchecked Sendable {  // as said
        let target: Target
        let belongsToMainActor: Bool

        init(_ target: Target, belongsToMainActor: Bool) {
            self.target = target
            self.belongsToMainActor = belongsToMainActor
        }
    }

    enum Target {
        /// An object, by identity.
        case object(WeakObject)
        /// A value whose static type says how it is compared.
        case value(Sender, hash: Int, areEqual: (Sender, Sender) -> Bool)
        /// A value that was found out about at run time.
        case key(AnyHashable)
        /// A value that can be compared with no other.
        case unmatched(Any.Type)
    }

    struct WeakObject {
        weak let object: AnyObject?
        let type: Any.Type
        let address: ObjectIdentifier

        init(_ object: AnyObject) { self.init(object, Swift.type(of: object), ObjectIdentifier(object)) }

        init(_ object: AnyObject?, _ type: Any.Type, _ address: ObjectIdentifier) {
            self.object = object
            self.type = type
            self.address = address
        }
    }

    private init(_ sender: Sender?, _ comparison: SenderComparison<Sender>, belongsToMainActor: Bool) {
        let target = sender.flatMap { SenderFilter.target($0, comparison) }
        limit = target.map { Limit($0, belongsToMainActor: belongsToMainActor) }
    }

    /// What a sender limits an observer to; `nil` if it is none.
    private static func target(_ sender: Sender, _ comparison: SenderComparison<Sender>) -> Target? {
        switch comparison.rule {
        case .none: return nil
        case .equality(let hash, let areEqual): return .value(sender, hash: hash(sender), areEqual: areEqual)
        case .identity:
            // A class, so the sender is one reference. (`as AnyObject` asks the runtime.)
            return .object(WeakObject(unsafe unsafeBitCast(sender, to: AnyObject.self)))
        case .dynamic:
            switch SenderKey(of: sender) {
            case .none: return nil
            case .object(let object): return .object(WeakObject(object))
            case .value(let value): return .key(value)
            case .unmatched(let type): return .unmatched(type)
            }
        }
    }

    @inlinable
    init(_ limit: Limit?) { self.limit = limit }

    /// Limits observers of a notification type to a sender.
    ///
    /// Posters compare the sender, and look whether it is alive, on any thread: so it is `Sendable`.
    ///
    /// - Parameters:
    ///   - sender: The sender; `nil` for every sender.
    ///   - type: The notification type.
    public init<N: TypedNotification>(_ sender: Sender?, of type: N.Type) where N.Sender == Sender, Sender: Sendable {
        self.init(sender, N.senderComparison, belongsToMainActor: false)
    }

    /// Limits observers of a main-actor notification type to a sender, which only the main actor looks at.
    @MainActor
    package init<N: MainActorNotification>(_ sender: Sender?, ofMainActor type: N.Type) where N.Sender == Sender {
        self.init(sender, N.senderComparison, belongsToMainActor: true)
    }

    /// Every sender.
    @inlinable public static var everyone: SenderFilter { SenderFilter(nil as Limit?) }

    /// Whether observers are limited to a sender.
    @inlinable public var isLimited: Bool { limit != nil }

    /// Whether the sender can still post; false once it was an object that is gone.
    ///
    /// The sender of a main-actor notification is not looked at here, as this can be asked anywhere: it counts as alive, and
    /// no post from another sender is accepted.
    public var isAlive: Bool {
        limit?.belongsToMainActor == true || isSenderAlive
    }

    /// Whether the sender can still post, asked where it may be looked at: for a main-actor notification, on the main actor.
    package var isSenderAlive: Bool {
        if case .object(let sender) = limit?.target { sender.object != nil } else { true }
    }

    /// Whether a post from a sender reaches the observer.
    ///
    /// - Parameter sender: The sender of the post.
    /// - Returns: Whether it is the one, or the observer is not limited.
    public func accepts(_ sender: Sender) -> Bool {
        switch limit?.target {
        case nil: return true
        case .value(let mine, _, let areEqual): return areEqual(mine, sender)
        case .object(let mine):
            guard let object = mine.object, case .object(let other) = SenderKey(of: sender) else { return false }
            return object === other
        case .key(let mine): return SenderKey.value(mine).isSame(as: SenderKey(of: sender))
        case .unmatched: return false
        }
    }
}

extension SenderFilter: CustomStringConvertible {
    /// The sender in words: an object by its type and its address, a value by itself.
    public var description: String {
        switch limit?.target {
        case nil: "every sender"
        case .object(let sender): describe(sender.type, sender.address)
        case .value(let sender, _, _): String(describing: sender)
        case .key(let sender): String(describing: sender.base)
        case .unmatched: "a sender that is the same as no other"
        }
    }
}

extension SenderFilter {
    /// What the native center limits an entry to.
    @usableFromInline
    package var engineTarget: SenderTarget<Sender> {
        switch limit?.target {
        case nil: .everyone
        // One that has died since the filter was made will never post.
        case .object(let sender): sender.object.map { .object($0) } ?? .unmatched(Sender.self)
        case .value(let sender, let hash, _): .value(sender, hash: hash)
        case .key(let sender): .key(sender)
        case .unmatched(let type): .unmatched(type)
        }
    }

    /// The same limit for a center that knows no static type of the sender.
    package var erased: SenderFilter<Any?> {
        guard let limit else { return .everyone }
        let target: SenderFilter<Any?>.Target =
            switch limit.target {
            case .object(let sender):
                .object(.init(sender.object, sender.type, sender.address))
            case .value(let sender, _, _):
                (sender as? any Hashable).map { .key(AnyHashable($0)) } ?? .unmatched(Sender.self)
            case .key(let sender): .key(sender)
            case .unmatched(let type): .unmatched(type)
            }
        return SenderFilter<Any?>(.init(target, belongsToMainActor: limit.belongsToMainActor))
    }

    /// The sender in words; `nil` for every sender.
    package var words: String? { isLimited ? description : nil }

    // Stop-gaps.
    @usableFromInline package init(unchecked sender: Sender?, _ comparison: SenderComparison<Sender>) {
        self.init(sender, comparison, belongsToMainActor: false)
    }
    package var sender: Sender? {
        switch limit?.target {
        case nil, .unmatched: nil
        case .object(let sender): sender.object as? Sender
        case .value(let sender, _, _): sender
        case .key(let sender): sender.base as? Sender
        }
    }
}
