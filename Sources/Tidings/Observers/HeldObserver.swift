/// The closure of an asynchronous observer. Only the mailbox, which is the observer's queue, may hold this object. A
/// task that waits for the observer's actor or queue refers to this object weakly. So the captures of a cancelled
/// observer are released at once, even if the actor is busy.
@usableFromInline
package final class HeldObserver<Closure: Sendable>: Sendable {
    @export(implementation) package let closure: Closure
    @export(implementation) package let respond: (@Sendable (any Error) -> Void)?

    @export(implementation)
    init(_ closure: Closure, respond: (@Sendable (any Error) -> Void)?) {
        self.closure = closure
        self.respond = respond
    }
}

@usableFromInline
package final class WeakObserver<Closure: Sendable>: Sendable {
    private let reference: ObjectReference

    @usableFromInline
    init(_ observer: HeldObserver<Closure>) { reference = ObjectReference(observer) }

    @usableFromInline package var held: HeldObserver<Closure>? { reference.object(as: HeldObserver<Closure>.self) }
}
