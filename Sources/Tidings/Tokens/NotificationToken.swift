/// The lifetime of an observation, which ends when the token is cancelled or released.
///
/// Keep it in a property, or in a collection with ``store(in:)-(C)``. In a local variable it ends early, as the optimiser may
/// release the token after its last use; ``NotificationTokens`` prevents that. The token of an observer that is tied to an
/// owner can be discarded: there the owner holds the lifetime.
///
/// A token may be used and released on any thread.
public class NotificationToken: @unchecked Sendable {  // no state; each subclass answers for its own
    init() {}

    /// The handle of the observation, as the center returned it.
    @usableFromInline
    package var observation: any ObserverHandle { preconditionFailure("a token is made from an observation") }

    /// The owner that holds the lifetime; `nil` if the token does.
    @usableFromInline package var owner: ObserverOwner? { nil }

    /// Whether a post can still reach the observer: false once it was cancelled, and once its owner, its sender or its
    /// center is gone.
    public var isActive: Bool { observation.isActive }

    /// Ends the observation.
    ///
    /// Once this has returned, neither a post that begins later, on any thread, nor a post that is under way on this thread
    /// calls the observer. Notifications that wait in the observer's queue are discarded. Calling it again does nothing.
    public func cancel() { observation.cancel() }

    /// Ends the observation and returns when no call of the observer is running on any thread.
    ///
    /// It does not wait for other observers. Called from inside the token's own asynchronous observer, or from a task that
    /// inherits its task-local values, it does not wait for that call; and it makes no wait that would close a cycle of
    /// observers that wait for each other.
    public func cancelAndDrain() async {
        cancel()
        await observation.drain()
    }

    /// Appends the token to an array, or another collection, which then holds the lifetime of the observation.
    ///
    /// - Parameter tokens: The collection.
    public func store<C: RangeReplaceableCollection>(in tokens: inout C) where C.Element == NotificationToken {
        tokens.append(self)
    }

    /// Inserts the token into a set, which then holds the lifetime of the observation.
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

/// A registered observer, as its center hands it out: it can be cancelled and drained.
///
/// A center's ``TypedNotificationCenter/observe(_:sender:registration:using:)`` returns one. The `addObserver` methods turn it
/// into a ``NotificationToken``, so code that only posts and observes never uses this protocol.
public protocol ObserverHandle: Sendable {
    /// The center with which the observer is registered, by identity; `nil` once that center is gone.
    var center: ObjectIdentifier? { get }

    /// Whether a post can still reach the observer: false once it was cancelled, and once its owner, its sender or its
    /// center is gone.
    var isActive: Bool { get }

    /// Ends the observation. No post that begins after this has returned calls the observer. Calling it again does nothing.
    func cancel()

    /// Ends the observation as ``cancel()`` does, for a reason that the center may keep. The default implementation cancels.
    ///
    /// - Parameter reason: Why it ends.
    func end(_ reason: ObservationEndReason)

    /// Returns when no call of the observer is running on any thread. It does not wait for calls of other observers.
    func drain() async

    /// Makes the token that holds the lifetime of the observation. The default implementation makes one that refers to this
    /// handle.
    func token() -> NotificationToken
}

/// An observation that knows the numbers by which monitors know its observers.
package protocol NumberedObservation: ObserverHandle {
    var numbers: [UInt64] { get }

    /// Whether a post is calling an observer at this moment.
    var isCalled: Bool { get }
}

extension ObserverHandle {
    /// The numbers by which monitors know the observers; none if the center is a user's own.
    @usableFromInline package var knownNumbers: [UInt64] { (self as? any NumberedObservation)?.numbers ?? [] }

    /// Whether a post may be calling an observer at this moment: it may, if the center is a user's own.
    @usableFromInline package var mayBeCalled: Bool { (self as? any NumberedObservation)?.isCalled ?? true }
}

/// A token that holds the lifetime of an observation. It is generic, so that the handle is stored inline, whatever its size.
final class LifetimeToken<O: ObserverHandle>: NotificationToken, @unchecked Sendable {  // immutable
    private let held: O

    init(_ observation: O) { held = observation }

    deinit { held.end(.tokenReleased) }

    override var observation: any ObserverHandle { held }
    override var isActive: Bool { held.isActive }
    override func cancel() { held.cancel() }
}

/// The token of an observation whose lifetime an owner holds: it can end the observation, and its release does not.
final class OwnedToken<O: ObserverHandle>: NotificationToken, @unchecked Sendable {  // immutable
    private let held: O
    private let heldBy: ObserverOwner

    init(_ observation: O, owner: ObserverOwner) {
        held = observation
        heldBy = owner
    }

    override var observation: any ObserverHandle { held }
    override var owner: ObserverOwner? { heldBy }
    override var isActive: Bool { held.isActive && heldBy.isAlive }
    override func cancel() { held.cancel() }
}

extension ObserverHandle {
    /// Cancels the observation.
    public func end(_ reason: ObservationEndReason) { cancel() }

    /// Makes a token that ends the observation when it is cancelled or released.
    public func token() -> NotificationToken { LifetimeToken(self) }

    /// Makes the token of an observation that ends with its owner.
    @usableFromInline
    package func token(owner ownership: Ownership) -> NotificationToken {
        ownership.ends(self)
        return OwnedToken(self, owner: ownership.owner)
    }
}
