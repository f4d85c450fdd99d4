extension OwnerDelivery where Owner: Actor, Handler == @Sendable (isolated Owner, Notification) async throws -> Void {
    /// Inside the owner, which is an actor, some time after the post: `{ me, note in … }`.
    ///
    /// The closure takes the actor, isolated, so that it can use it without `await`, and the notification, and may await and throw.
    /// A long queue lets others use the actor in between. The actor is re-entrant while the closure awaits: what others ask of it
    /// runs meanwhile, so its state may have changed after an `await`.
    ///
    /// ```swift
    /// center.addObserver(self, on: .actor, for: SubscriptionsChanged.self) { me, note in me.add(note.subscribed) }
    /// ```
    ///
    /// For the main actor, say ``main``; for a closure of another global actor, ``Delivery/task``.
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
    /// Cannot be used: an actor is an owner.
    @available(
        *, unavailable, message: "an actor is an owner: say 'addObserver(actor, on: .actor, …) { me, note in … }'"
    )
    public static var actor: Self { preconditionFailure("unavailable") }
}

/// What makes the calls of a turn inside an actor. In a struct, it is not wrapped each time that it is read.
@usableFromInline
struct ActorCalls<A: Actor, Element: Sendable>: Sendable {
    @export(implementation) let make: @Sendable (isolated A, inout SuspendableTurn<Element>) async -> Void

    @export(implementation)
    init(_ make: @escaping @Sendable (isolated A, inout SuspendableTurn<Element>) async -> Void) { self.make = make }
}

extension Mailbox {
    /// Calls a closure inside an actor with what waits, for a turn.
    @export(implementation)
    func run<A: Actor>(in actor: isolated A, _ observer: WeakObserver<ActorCalls<A, Element>>) async -> Bool {
        guard let held = observer.held else { return false }
        return await run(isolation: actor, onFailure: held.respond) { turn in
            await held.closure.make(actor, &turn)
        }
    }
}
