/// The lifetime of an observation: it ends when the token is cancelled or let go.
///
/// Keep it in a property, or in a collection with ``store(in:)-(C)``. A local variable ends early, as the optimiser may
/// release it after its last use. The exception is a token of an observer that is tied to an owner: there the owner holds
/// the lifetime, and the token can be discarded.
///
/// A token may be used, and let go, on any thread.
public class NotificationToken: @unchecked Sendable {  // no state of its own; the one in its subclasses is immutable
    init() {}

    /// The observation, as the center sees it.
    package var observation: any ObserverHandle { preconditionFailure("a token is made from an observation") }

    /// Whether a post can still reach the observer: false once it was cancelled, or its owner, its sender or its center is
    /// gone.
    public var isActive: Bool { observation.isActive }

    /// Ends the observation.
    ///
    /// No post that begins after this has returned calls the observer, on any thread, nor does one that is under way on
    /// this thread. What was queued for the observer is discarded. Calling it again does nothing.
    public func cancel() { observation.cancel() }

    /// Ends the observation and returns when no call of the observer is running anywhere.
    ///
    /// Other observers are not waited for. Called from inside an asynchronous observer of this token, or from a task that
    /// inherits from it, it does not wait for that call, and a wait that would close a cycle is not made.
    public func cancelAndDrain() async {
        cancel()
        await observation.drain()
    }

    /// Puts the token into an array, or another ordered collection, that keeps the observation going.
    ///
    /// - Parameter tokens: The collection.
    public func store<C: RangeReplaceableCollection>(in tokens: inout C) where C.Element == NotificationToken {
        tokens.append(self)
    }

    /// Puts the token into a set that keeps the observation going.
    ///
    /// - Parameter tokens: The set.
    public func store(in tokens: inout Set<NotificationToken>) {
        tokens.insert(self)
    }
}

extension NotificationToken: Hashable {
    /// A token equals only itself.
    public static func == (lhs: NotificationToken, rhs: NotificationToken) -> Bool { lhs === rhs }

    /// Hashes the token's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A token that holds the lifetime of an observation, of whatever size that is, inline.
final class LifetimeToken<O: ObserverHandle>: NotificationToken, @unchecked Sendable {  // immutable
    private let held: O

    init(_ observation: O) { held = observation }

    deinit { held.cancel() }

    override var observation: any ObserverHandle { held }
    override var isActive: Bool { held.isActive }
    override func cancel() { held.cancel() }
}

/// A token that can end an observation whose lifetime an owner holds.
final class OwnedToken<O: ObserverHandle>: NotificationToken, @unchecked Sendable {  // immutable
    private let held: O
    private let owner: ObserverOwner

    init(_ observation: O, owner: ObserverOwner) {
        held = observation
        self.owner = owner
    }

    override var observation: any ObserverHandle { held }
    override var isActive: Bool { held.isActive && owner.isAlive }
    override func cancel() { held.cancel() }
}

extension ObserverHandle {
    /// A token whose end is the observation's end.
    public func token() -> NotificationToken { LifetimeToken(self) }

    /// A token for an observation that ends with its owner.
    package func token(owner ownership: Ownership) -> NotificationToken {
        ownership.ends(self)
        return OwnedToken(self, owner: ownership.owner)
    }
}
