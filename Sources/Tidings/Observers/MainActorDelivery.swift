extension Delivery where Handler == @MainActor @Sendable (Notification) async throws -> Void {
    /// Runs the observer on the main actor after the post, even if the post is made on that actor: `{ note in … }`.
    ///
    /// The closure is isolated to the main actor. It may await and throw, and other code of the main actor runs while
    /// it awaits. For an observer that runs in the post, see ``MainActorNotification``.
    @inline(__always)
    @export(implementation) public static var main: Self {
        Self(.mainActor) { registration, handler in
            let calls = MainActorCalls<Notification> { turn in
                while let next = turn.next() {
                    if turn.isPlain(next) {
                        do { try await handler.call(next.element) } catch { turn.fail(error, with: next) }
                    } else {
                        await turn.perform(next, isolation: MainActor.shared) { try await handler.call(next.element) }
                    }
                    if !turn.goesOn() { break }
                }
            }
            return registration.observe(calling: calls) { mailbox, observer in
                await mailbox.runOnMainActor(observer)
            }
        }
    }

    /// Unavailable: use `.main` for the main actor.
    @available(*, unavailable, renamed: "main")
    @export(implementation) public static var mainActor: Self { .main }
}

extension OwnerDelivery where Handler == @MainActor @Sendable (Owner, Notification) async throws -> Void {
    /// Runs the observer on the main actor after the post, even if the post is made on that actor: `{ me, note in … }`.
    ///
    /// The closure is isolated to the main actor, and receives the owner and the notification. It may await and throw,
    /// and other code of the main actor runs while it awaits.
    @inline(__always)
    @export(implementation) public static var main: Self {
        Self(.mainActor) { registration, owner, handler in
            let calls = MainActorOwnerCalls<Owner, Notification> { owner, turn in
                while let next = turn.next() {
                    if turn.isPlain(next) {
                        do { try await handler.call(owner, next.element) } catch { turn.fail(error, with: next) }
                    } else {
                        await turn.perform(next, isolation: MainActor.shared) {
                            try await handler.call(owner, next.element)
                        }
                    }
                    if !turn.goesOn() { break }
                }
            }
            return registration.observe(owner: owner, calling: calls) { mailbox, owner, observer in
                await mailbox.runOnMainActor(for: owner, observer)
            }
        }
    }

    /// Unavailable: use `.main` for the main actor.
    @available(*, unavailable, renamed: "main")
    @export(implementation) public static var mainActor: Self { .main }
}

/// A closure in a struct, because a bare closure would be wrapped in a thunk at each access.
@usableFromInline
struct MainActorCalls<Element: Sendable>: Sendable {
    @export(implementation) let make: @MainActor @Sendable (inout SuspendableTurn<Element>) async -> Void

    @export(implementation)
    init(_ make: @escaping @MainActor @Sendable (inout SuspendableTurn<Element>) async -> Void) { self.make = make }
}

@usableFromInline
struct MainActorOwnerCalls<Owner: AnyObject & Sendable, Element: Sendable>: Sendable {
    @export(implementation) let make: @MainActor @Sendable (Owner, inout SuspendableTurn<Element>) async -> Void

    @export(implementation)
    init(_ make: @escaping @MainActor @Sendable (Owner, inout SuspendableTurn<Element>) async -> Void) {
        self.make = make
    }
}

extension Mailbox {
    @MainActor
    @export(implementation)
    func runOnMainActor(_ observer: WeakObserver<MainActorCalls<Element>>) async -> Bool {
        guard let held = observer.held else { return false }
        return await run(isolation: MainActor.shared, onFailure: held.respond) { turn in
            await held.closure.make(&turn)
        }
    }

    /// The owner is obtained here, so that the task doesn't hold the owner while it waits for the main actor.
    @MainActor
    @export(implementation)
    func runOnMainActor<Owner: AnyObject & Sendable>(
        for owner: TurnOwner<Owner>, _ observer: WeakObserver<MainActorOwnerCalls<Owner, Element>>
    ) async -> Bool {
        guard let owner = owner.alive, let held = observer.held else { return false }
        return await run(isolation: MainActor.shared, onFailure: held.respond) { turn in
            await held.closure.make(owner, &turn)
        }
    }
}
