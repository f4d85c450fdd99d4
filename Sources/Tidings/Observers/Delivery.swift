/// The context in which an observer with a token runs. The observer runs after the post, for one notification at a
/// time, in order.
///
/// ```swift
/// center.addObserver(on: .main, for: CacheCleared.self) { _ in label.text = "" }.store(in: &tokens)
/// center.addObserver(on: .task, for: CacheCleared.self) { _ in await disk.clear() }.store(in: &tokens)
/// ```
///
/// Each delivery, such as `.main` or `.task`, determines `Handler`, the type of the observer's closure.
public struct Delivery<Notification: Sendable, Handler: Sendable>: Sendable {
    @export(implementation) package let mode: DeliveryMode

    @export(implementation) package let register:
        @Sendable (AsynchronousRegistration<Notification>, ObserverClosure<Handler>) -> NotificationToken

    @inline(__always)
    @export(implementation)
    package init(
        _ mode: DeliveryMode,
        register:
            @escaping @Sendable (AsynchronousRegistration<Notification>, ObserverClosure<Handler>) -> NotificationToken
    ) {
        self.mode = mode
        self.register = register
    }
}

/// The context in which an observer with an owner runs. The observer runs after the post, for one notification at a
/// time, in order.
///
/// The observation ends when the owner is deallocated. The owner is held weakly, except during a call, and passed to
/// the closure.
///
/// ```swift
/// center.addObserver(self, on: .main, for: CacheCleared.self) { me, _ in me.label.text = "" }
/// center.addObserver(cache, on: .actor, for: CacheCleared.self) { cache, _ in cache.clear() }
/// ```
///
/// Each delivery, such as `.main` or `.actor`, determines `Handler`, the type of the observer's closure.
public struct OwnerDelivery<Owner: AnyObject & Sendable, Notification: Sendable, Handler: Sendable>: Sendable {
    @export(implementation) package let mode: DeliveryMode

    @export(implementation) package let register:
        @Sendable (AsynchronousRegistration<Notification>, Owner, ObserverClosure<Handler>) -> NotificationToken

    @inline(__always)
    @export(implementation)
    package init(
        _ mode: DeliveryMode,
        register:
            @escaping @Sendable (AsynchronousRegistration<Notification>, Owner, ObserverClosure<Handler>) ->
            NotificationToken
    ) {
        self.mode = mode
        self.register = register
    }
}

/// A closure in a struct, because a bare closure would be wrapped in a thunk before it reaches the code that calls it.
@usableFromInline
package struct ObserverClosure<Handler: Sendable>: Sendable {
    @export(implementation) package let call: Handler

    @export(implementation)
    package init(_ call: Handler) { self.call = call }
}
