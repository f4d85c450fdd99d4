/// The closure of an asynchronous observer, held by its mailbox alone.
///
/// A turn that waits for its actor, or for its queue, refers to it weakly, and takes hold of it when it runs. So what a
/// cancelled observer captured is released at once, however long the actor is busy.
@usableFromInline
package final class HeldObserver<Closure: Sendable>: Sendable {
    @usableFromInline package let closure: Closure

    @inlinable
    package init(_ closure: Closure) { self.closure = closure }
}
