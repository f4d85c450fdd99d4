import Synchronization

/// A typed notification on its way through Foundation's center, in the `userInfo` of the notification that carries it.
class TypedPost {
    /// The key under which `userInfo` holds the post.
    static let key = "tidings.typed-notification"

    /// How many observers were registered, ever, when the post began: later ones are not called.
    ///
    /// Atomic, as a classic observer may hand the notification on to other threads.
    private let horizon: Atomic<Int>
    private let calls = Atomic<Int>(0)

    fileprivate init() {
        horizon = Atomic(Relay.registrations)
    }

    /// The notification's own sender.
    var sender: Any? { nil }

    /// Whether an observer was registered when the post began.
    func reaches(registration: Int) -> Bool { registration <= horizon.load(ordering: .relaxed) }

    /// Counts an observer that was called.
    func countCall() { calls.add(1, ordering: .relaxed) }

    /// Ends the post and returns how many observers it called.
    ///
    /// A classic observer may have kept the notification and post it again: that post reaches later observers too.
    func end() -> Int {
        horizon.store(.max, ordering: .relaxed)
        return calls.load(ordering: .relaxed)
    }
}

/// A typed post of a notification type: observers find the value by the type it was posted as.
final class TypedPostOf<N: TypedNotification>: TypedPost {
    let value: N

    init(_ value: N) { self.value = value }

    override var sender: Any? { value.sender }
}
