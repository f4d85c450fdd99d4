extension OwnerDelivery where Owner: Actor, Handler == @Sendable (isolated Owner, Notification) async throws -> Void {
    /// Runs the observer inside its owner, which is an actor, after the post: `{ me, note in … }`.
    ///
    /// The closure receives the isolated actor, which it can use without `await`. It may await and throw. Other work of
    /// the actor runs between calls and while the closure awaits, so the actor's state may change during an `await`.
    ///
    /// ```swift
    /// center.addObserver(self, on: .actor, for: SubscriptionsChanged.self) { me, note in me.add(note.subscribed) }
    /// ```
    ///
    /// For the main actor, use ``main``. For a closure that is isolated to another global actor, use ``Delivery/task``.
    @inline(__always)
    @export(implementation) public static var actor: Self {
        Self(.actor) { registration, actor, handler in
            let calls = ActorCalls<Owner, Notification> { actor, turn in
                while let next = turn.next() {
                    if turn.isPlain(next) {
                        do { try await handler.call(actor, next.element) } catch { turn.fail(error, with: next) }
                    } else {
                        await turn.perform(next, isolation: actor) { try await handler.call(actor, next.element) }
                    }
                    if !turn.goesOn() { break }
                }
            }
            return registration.observe(owner: actor, calling: calls) { mailbox, owner, observer in
                guard let actor = owner.alive else { return false }
                return await mailbox.run(in: actor, observer)
            }
        }
    }
}

extension Delivery where Handler == @Sendable (Notification) async throws -> Void {
    /// Unavailable: for this delivery, the actor has to be passed as the owner.
    @available(
        *, unavailable, message: "an actor is an owner: write 'addObserver(actor, on: .actor, …) { me, note in … }'"
    )
    public static var actor: Self { preconditionFailure("unavailable") }
}

/// A closure in a struct, because a bare closure would be wrapped in a thunk at each access.
@usableFromInline
struct ActorCalls<A: Actor, Element: Sendable>: Sendable {
    @export(implementation) let make: @Sendable (isolated A, inout SuspendableTurn<Element>) async -> Void

    @export(implementation)
    init(_ make: @escaping @Sendable (isolated A, inout SuspendableTurn<Element>) async -> Void) { self.make = make }
}

extension Mailbox {
    @export(implementation)
    func run<A: Actor>(in actor: isolated A, _ observer: WeakObserver<ActorCalls<A, Element>>) async -> Bool {
        guard let held = observer.held else { return false }
        return await run(isolation: actor, onFailure: held.respond) { turn in
            await held.closure.make(actor, &turn)
        }
    }
}
