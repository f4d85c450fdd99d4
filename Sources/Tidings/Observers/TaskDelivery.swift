// The runtime of older systems doesn't support an `@isolated(any)` function type as a generic argument.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Delivery where Handler == @isolated(any) @Sendable (Notification) async throws -> Void {
    /// Runs the observer in a task of its own, after the post: `{ note in await … }`.
    ///
    /// The closure receives the notification, and may await and throw. It runs in its own isolation, such as the global
    /// actor with which it is marked. On Apple's systems, this delivery requires macOS 15, iOS 18 or their equivalents.
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
    /// Unavailable: an observer in a task of its own can't have an owner.
    @available(
        *, unavailable,
        message:
            "a task has no owner: keep the token of 'addObserver(on: .task, …)', or write 'on: .main' or 'on: .actor'"
    )
    public static var task: Self { preconditionFailure("unavailable") }
}

/// A closure in a struct, because a bare closure would be wrapped in a thunk at each access.
@usableFromInline
struct TurnCalls<Element: Sendable>: Sendable {
    @export(implementation) let make: @Sendable (isolated (any Actor)?, inout SuspendableTurn<Element>) async -> Void

    @export(implementation)
    init(_ make: @escaping @Sendable (isolated (any Actor)?, inout SuspendableTurn<Element>) async -> Void) {
        self.make = make
    }
}

extension Mailbox {
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
