// The runtime of older systems does not know the type of a closure with its isolation, as the argument of a generic type.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Delivery where Handler == @isolated(any) @Sendable (Notification) async throws -> Void {
    /// In a task of its own, some time after the post: `{ note in await … }`.
    ///
    /// The closure takes the notification, and may await and throw. It runs where it is isolated: one that is marked with a global
    /// actor runs there. On Apple's systems it needs macOS 15, iOS 18 or their like; an actor and the main actor are there on older ones.
    ///
    /// ```swift
    /// center.addObserver(on: .task, for: CacheCleared.self) { _ in await disk.clear() }.store(in: &tokens)
    /// center.addObserver(on: .task, for: CacheCleared.self) { @Database _ in Database.vacuum() }.store(in: &tokens)
    /// ```
    @inline(__always)
    @export(implementation) public static var task: Self {
        Self(.task) { registration, handler in
            let isolation = handler.call.isolation
            let calls = TurnCalls<Notification> { isolation, turn in
                while let next = turn.next() {
                    if turn.isPlain(next) {
                        do { try await handler.call(next.element) } catch { turn.fail(error, with: next) }
                    } else {
                        await turn.perform(next, isolation: isolation) { try await handler.call(next.element) }
                    }
                    if !turn.goesOn() { break }
                }
            }
            return registration.observe(calling: calls) { mailbox, observer in
                await mailbox.run(isolatedTo: isolation, observer)
            }
        }
    }
}

extension OwnerDelivery where Handler == @Sendable (Owner, Notification) async throws -> Void {
    /// Cannot be used: a task of its own has no owner.
    @available(
        *, unavailable,
        message:
            "a task has no owner: keep the token of 'addObserver(on: .task, …)', or say 'on: .main', or 'on: .actor'"
    )
    public static var task: Self { preconditionFailure("unavailable") }
}

/// What makes the calls of a turn. In a struct, it is not wrapped each time that it is read.
@usableFromInline
struct TurnCalls<Element: Sendable>: Sendable {
    @export(implementation) let make: @Sendable (isolated (any Actor)?, inout SuspendableTurn<Element>) async -> Void

    @export(implementation)
    init(_ make: @escaping @Sendable (isolated (any Actor)?, inout SuspendableTurn<Element>) async -> Void) {
        self.make = make
    }
}

extension Mailbox {
    /// Calls a closure where it is isolated with what waits, for a turn.
    @export(implementation)
    func run(
        isolatedTo isolation: isolated (any Actor)?, _ observer: WeakObserver<TurnCalls<Element>>
    ) async -> Bool {
        guard let held = observer.held else { return false }
        return await run(isolation: isolation, onFailure: held.respond) { turn in
            await held.closure.make(isolation, &turn)
        }
    }
}
