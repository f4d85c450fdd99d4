extension Delivery where Handler == @MainActor @Sendable (Notification) async throws -> Void {
    /// On the main actor, some time after the post, also when that is made there: `{ note in … }`.
    ///
    /// The closure is a main-actor one, takes the notification, and may await and throw. Other code of the main actor runs while it
    /// awaits. For an observer that runs in the post, see ``MainActorNotification``.
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

    /// Cannot be used: the main actor is `.main`.
    @available(*, unavailable, renamed: "main")
    @export(implementation) public static var mainActor: Self { .main }
}

extension OwnerDelivery where Handler == @MainActor @Sendable (Owner, Notification) async throws -> Void {
    /// On the main actor, some time after the post, also when that is made there: `{ me, note in … }`.
    ///
    /// The closure is a main-actor one, takes the owner and the notification, and may await and throw. Other code of the main actor
    /// runs while it awaits.
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

    /// Cannot be used: the main actor is `.main`.
    @available(*, unavailable, renamed: "main")
    @export(implementation) public static var mainActor: Self { .main }
}

/// What makes the calls of a turn on the main actor. In a struct, it is not wrapped each time that it is read.
@usableFromInline
struct MainActorCalls<Element: Sendable>: Sendable {
    @export(implementation) let make: @MainActor @Sendable (inout SuspendableTurn<Element>) async -> Void

    @export(implementation)
    init(_ make: @escaping @MainActor @Sendable (inout SuspendableTurn<Element>) async -> Void) { self.make = make }
}

/// What makes the calls of a turn on the main actor, with an owner.
@usableFromInline
struct MainActorOwnerCalls<Owner: AnyObject & Sendable, Element: Sendable>: Sendable {
    @export(implementation) let make: @MainActor @Sendable (Owner, inout SuspendableTurn<Element>) async -> Void

    @export(implementation)
    init(_ make: @escaping @MainActor @Sendable (Owner, inout SuspendableTurn<Element>) async -> Void) {
        self.make = make
    }
}

extension Mailbox {
    /// Calls a closure on the main actor with what waits, for a turn.
    @MainActor
    @export(implementation)
    func runOnMainActor(_ observer: WeakObserver<MainActorCalls<Element>>) async -> Bool {
        guard let held = observer.held else { return false }
        return await run(isolation: MainActor.shared, onFailure: held.respond) { turn in
            await held.closure.make(&turn)
        }
    }

    /// Calls a closure on the main actor with its owner and what waits, for a turn. One that waits for the main actor does not hold the owner.
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
