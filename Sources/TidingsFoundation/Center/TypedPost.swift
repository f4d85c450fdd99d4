public import Foundation
import Synchronization

/// A typed notification on its way through Foundation's center, in the `userInfo` of the notification that carries it.
class TypedPost {
    /// The key under which `userInfo` holds the post.
    static let key = "tidings.typed-notification"

    // Atomic, as a classic observer may hand the notification on to other threads.
    private let registrations: Atomic<Int>
    private let calls = Atomic<Int>(0)

    /// The native center where the notification was posted before, if it comes from one.
    final let visited: ObjectIdentifier?

    /// Where the source posts it.
    final let place: SourcePlace

    fileprivate init(from place: SourcePlace, visited: ObjectIdentifier?) {
        registrations = Atomic(Relay.Member.count)
        self.place = place
        self.visited = visited
    }

    /// How many observers were registered, ever, when the post began.
    final var horizon: Int { registrations.load(ordering: .relaxed) }

    /// The type as which the notification was posted.
    var type: Any.Type { preconditionFailure("a post is of a type") }

    /// Whether the notification that carries this one stands for itself too.
    var isBridged: Bool { preconditionFailure("a post is of a type") }

    /// Whether only the main actor may look at the notification.
    var belongsToMainActor: Bool { preconditionFailure("a post is of a type") }

    /// The notification's own sender.
    var sender: Any? { preconditionFailure("a post is of a type") }

    /// Counts an observer that was called.
    final func countCall() { calls.add(1, ordering: .relaxed) }

    /// Ends the post and returns how many observers it called.
    ///
    /// A classic observer may have kept the notification and post it again: that post reaches later observers too.
    final func end() -> Int {
        registrations.store(.max, ordering: .relaxed)
        return calls.load(ordering: .relaxed)
    }
}

/// A typed post of a notification type: observers find the value by the type as which it was posted.
final class TypedPostOf<N: TypedNotification>: TypedPost {
    let value: N

    init(_ value: N, from place: SourcePlace, visited: ObjectIdentifier?) {
        self.value = value
        super.init(from: place, visited: visited)
    }

    override var type: Any.Type { N.self }
    override var isBridged: Bool { value is any BridgedNotification }
    override var belongsToMainActor: Bool { N.self is any BelongsToMainActor.Type }
    override var sender: Any? { value.sender }
}

extension Notification {
    /// The typed notification that this one carries, for classic observers of its name.
    ///
    /// - Parameter type: The type.
    /// - Returns: The typed notification; `nil` if this one was not posted as the type.
    public func typed<N: TypedNotification>(as type: N.Type) -> N? {
        userInfo?[TypedPost.key].flatMap { castObject($0, to: TypedPostOf<N>.self) }?.value
    }

    /// The main-actor notification that this one carries, for classic observers of its name.
    ///
    /// - Parameter type: The type.
    /// - Returns: The main-actor notification; `nil` if this one was not posted as the type.
    @MainActor
    public func typed<N: MainActorNotification>(as type: N.Type) -> N? {
        typed(as: OnMainActor<N>.self)?.notification
    }
}
