/// What a task knows about the asynchronous call it is part of.
///
/// It is bound as a task-local, so tasks that inherit from the call know it too. Whoever drains a mailbox reads it, and
/// whoever puts a notification into one; a post does not.
@usableFromInline
struct CallContext: Sendable {
    @TaskLocal static var current: CallContext?

    @usableFromInline static var local: TaskLocal<CallContext?> { $current }

    /// The call; `nil` if the task is not part of one.
    @usableFromInline var call: Call?

    @usableFromInline
    init(call: Call?) { self.call = call }
}
