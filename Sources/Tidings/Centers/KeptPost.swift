public import Synchronization
import TidingsEngine

/// A post of a type that is replayed, with the numbers by which the center and its monitors know it; always a
/// ``KeptNotification``, which knows the type.
@usableFromInline
class KeptPost: @unchecked Sendable {  // atomic, and what subclasses add is immutable
    /// How many posts of the type there were in the center, with this one. ``LatestNotifications`` sets it, under its lock,
    /// before another thread has the post. Relaxed, as whoever gets the post from another thread gets it by way of a lock.
    @usableFromInline final let place = Atomic<UInt64>(0)

    /// The number by which monitors know the post; 0 as long as none was told of it. Relaxed, as nothing else depends on it.
    private final let known = Atomic<UInt64>(0)

    /// How often it was handed over.
    private final let handedOver = Atomic<UInt64>(0)

    /// How often a gate has refused it. Relaxed, as the thread that posts calls the gates and reads it.
    @usableFromInline final let refused = Atomic(0)

    @usableFromInline
    init() {}

    /// How often a gate has refused the post so far.
    @inlinable final var refusals: Int { refused.load(ordering: .relaxed) }

    /// Notes that a gate has refused the post.
    final func noteRefusal() { refused.add(1, ordering: .relaxed) }

    /// How many posts of the type there were in the center, with this one.
    @inlinable final var number: UInt64 { place.load(ordering: .relaxed) }

    /// Notes how many posts of the type there were in the center, with this one.
    @inlinable
    final func note(number: UInt64) { place.store(number, ordering: .relaxed) }

    /// Notes the number by which monitors know the post that this thread makes, if it has begun.
    ///
    /// - Parameter outer: The number of the post around it.
    final func noteNumber(within outer: UInt64) {
        let number = NumberedPost.current
        if number != outer { known.store(number, ordering: .relaxed) }
    }

    /// Begins to hand the post over on this thread. The deliveries get numbers that no post reaches.
    final func beginAgain(toldTo monitoring: Monitoring) -> NumberedPost {
        let times = handedOver.wrappingAdd(1, ordering: .relaxed).newValue
        return NumberedPost(
            again: known.load(ordering: .relaxed), after: times << 32, toldTo: ObjectIdentifier(monitoring),
            in: MonitoredTask.current.delivery)
    }
}

/// A post of a type that is replayed, with what is kept of its notification: in one object, as each post makes one.
@usableFromInline
class KeptNotification<N: TypedNotification>: KeptPost, @unchecked Sendable {  // immutable
    @usableFromInline
    override init() {}

    /// The notification, as it was posted, or made again.
    ///
    /// - Parameter sender: Its sender, if that is an object.
    /// - Returns: The notification, in an object.
    func whole(from sender: AnyObject?) -> WholeNotification<N> { preconditionFailure("a subclass says what is kept") }
}

/// A notification as it was posted, or made again: for most types that is how it is kept.
@usableFromInline
final class WholeNotification<N: TypedNotification>: KeptNotification<N>, @unchecked Sendable {  // immutable, as above
    @usableFromInline let notification: N

    /// The post, if it is another object, as the notification is kept without its sender; `nil` if it is this
    /// one. What monitors know of the post is noted there, its number in both.
    @usableFromInline let post: KeptPost?

    @inlinable
    init(_ notification: N, of post: KeptPost? = nil) {
        self.notification = notification
        self.post = post
        super.init()
        if let post { note(number: post.number) }
    }

    override func whole(from sender: AnyObject?) -> WholeNotification<N> { self }
}

/// A notification that is kept without its sender.
// Immutable, as above.
final class SenderlessNotification<N: TypedNotification>: KeptNotification<N>, @unchecked Sendable {
    private let make: @Sendable (AnyObject?) -> N

    /// - Parameters:
    ///   - notification: The notification.
    ///   - sender: Its sender. It is kept if it is a value.
    ///   - keeper: Takes the content out of the notification.
    init(_ notification: N, from sender: N.Sender, keptBy keeper: NotificationKeeper<N>) {
        let content = Content(join: keeper.keep(notification), value: sender)
        if case .object = N.tag(of: sender) {
            make = { [join = content.join] object in
                guard let sender = object as? N.Sender else { preconditionFailure("the sender was of this type") }
                return join(sender)
            }
        } else {
            make = { _ in content.join(content.value) }
        }
    }

    override func whole(from sender: AnyObject?) -> WholeNotification<N> {
        WholeNotification(make(sender), of: self)
    }

    /// What joins the content with a sender, and that sender.
    private struct Content: @unchecked Sendable {  // a type that is replayed is `Sendable`, and so is its sender
        let join: @Sendable (N.Sender) -> N
        let value: N.Sender
    }
}
