/// A token that keeps an observer alive. The observation ends when the token is cancelled or released.
///
/// Store the token in a property, or in a collection with ``store(in:)-(C)``. A token in a local variable may end the
/// observation early, because the optimizer may release the token after its last use; ``NotificationTokens`` prevents
/// that. You can discard the token of an observer with an owner, because its observation lasts as long as the owner.
/// Tokens can be used and released on any thread.
public class NotificationToken: @unchecked Sendable {  // no state; each subclass explains its own state
    init() {}

    @usableFromInline
    package var observation: any ObserverHandle { preconditionFailure("a subclass has to override observation") }

    @usableFromInline package var owner: ObserverOwner? { nil }

    /// Whether posts can still reach the observer: it wasn't cancelled, its owner and sender are alive, and its center
    /// is alive and hasn't finished. The sender of a main-actor notification isn't checked.
    public var isActive: Bool { observation.isActive }

    /// Ends the observation.
    ///
    /// When this method has returned, the observer isn't called by posts that begin later, on any thread, nor by a post
    /// in progress on this thread. Notifications in the observer's queue are discarded. Cancelling again has no effect.
    public func cancel() { observation.cancel() }

    /// Ends the observation, and returns when no call of the observer is running on any thread.
    ///
    /// If an asynchronous observer calls this method for itself, even in a task that inherits the call's task-local
    /// values, the method doesn't wait for that call. Nor does it wait if observers would otherwise wait in a cycle.
    public func cancelAndDrain() async {
        cancel()
        await observation.drain()
    }
}

extension NotificationToken {
    /// Appends the token to an array or another collection, which then keeps the observer alive.
    ///
    /// - Parameter tokens: The collection.
    @export(implementation)
    public func store<C: RangeReplaceableCollection>(in tokens: inout C) where C.Element == NotificationToken {
        tokens.append(self)
    }

    /// Inserts the token into a set, which then keeps the observer alive.
    ///
    /// - Parameter tokens: The set.
    @export(implementation)
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

/// A registered observer, as ``TypedNotificationCenter/observe(_:sender:registration:using:)`` returns it. The
/// `addObserver` methods turn it into a ``NotificationToken``, so most code doesn't use this protocol.
public protocol ObserverHandle: Sendable {
    /// The identity of the center with which the observer is registered; `nil` once that center has been deallocated.
    var center: ObjectIdentifier? { get }

    /// Whether posts can still reach the observer; see ``NotificationToken/isActive``.
    var isActive: Bool { get }

    /// Ends the observation: posts that begin later don't call the observer. Cancelling again has no effect.
    func cancel()

    /// Ends the observation with a reason that the center may record. The default implementation calls ``cancel()``.
    ///
    /// - Parameter reason: Why the observation ends.
    func end(_ reason: ObservationEndReason)

    /// Returns when no call of the observer is running on any thread.
    func drain() async

    /// Creates the token that keeps the observer alive. The default implementation's token refers to this handle.
    func token() -> NotificationToken
}

package protocol NumberedObservation: ObserverHandle {
    var numbers: [UInt64] { get }

    var isCalled: Bool { get }
}

extension ObserverHandle {
    @usableFromInline package var knownNumbers: [UInt64] { (self as? any NumberedObservation)?.numbers ?? [] }

    /// Whether a post may be calling the observer now; always `true` for a center that isn't part of the package.
    @usableFromInline package var mayBeCalled: Bool { (self as? any NumberedObservation)?.isCalled ?? true }
}

@usableFromInline
package struct CombinedObservation: NumberedObservation {
    private let all: [any ObserverHandle]

    @usableFromInline
    package init(of all: [any ObserverHandle]) { self.all = all }

    @usableFromInline package var center: ObjectIdentifier? { all.first?.center }
    @usableFromInline package var isActive: Bool { all.contains(where: \.isActive) }
    @usableFromInline package var numbers: [UInt64] { all.flatMap(\.knownNumbers) }
    @usableFromInline package var isCalled: Bool { all.contains(where: \.mayBeCalled) }

    @usableFromInline
    package func cancel() {
        for observation in all { observation.cancel() }
    }

    @usableFromInline
    package func end(_ reason: ObservationEndReason) {
        for observation in all { observation.end(reason) }
    }

    @usableFromInline
    package func drain() async {
        for observation in all { await observation.drain() }
    }
}

/// A token that is generic, so that the handle is stored inline.
final class LifetimeToken<O: ObserverHandle>: NotificationToken, @unchecked Sendable {  // immutable
    private let held: O

    init(_ observation: O) { held = observation }

    deinit { held.end(.tokenReleased) }

    override var observation: any ObserverHandle { held }
    override var isActive: Bool { held.isActive }
    override func cancel() { held.cancel() }
}

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
    /// Cancels the observation, and ignores the reason.
    public func end(_ reason: ObservationEndReason) { cancel() }

    /// Creates a token that ends the observation when it is cancelled or released.
    public func token() -> NotificationToken { LifetimeToken(self) }

    @usableFromInline
    package func token(owner ownership: Ownership) -> NotificationToken {
        ownership.ends(self)
        return OwnedToken(self, owner: ownership.owner)
    }
}
