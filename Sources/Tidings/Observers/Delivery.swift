/// Where an observer with a token runs, after the post: one notification at a time, in the order posted.
///
/// ```swift
/// center.addObserver(on: .main, for: CacheCleared.self) { _ in label.text = "" }.store(in: &tokens)
/// center.addObserver(on: .task, for: CacheCleared.self) { _ in await disk.clear() }.store(in: &tokens)
/// ```
///
/// `Handler` is the type of the observer's closure. Each delivery decides it: ``main`` and ``task`` say which it is, and so does
/// `queue(_:)` of TidingsFoundation.
public struct Delivery<Notification: Sendable, Handler: Sendable>: Sendable {
    /// Where the observer runs, in a word.
    @export(implementation) package let mode: DeliveryMode

    /// Registers an observer's closure.
    @export(implementation) package let register:
        @Sendable (AsynchronousRegistration<Notification>, ObserverClosure<Handler>) -> NotificationToken

    /// - Parameters:
    ///   - mode: Where the observer runs, in a word.
    ///   - register: Registers an observer's closure, by one of the `observe` methods of the registration.
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

/// Where an observer with an owner runs, after the post: one notification at a time, in the order posted, for as long as the owner
/// lives.
///
/// The owner is held weakly, except during a call, and handed to the closure.
///
/// ```swift
/// center.addObserver(self, on: .main, for: CacheCleared.self) { me, _ in me.label.text = "" }
/// center.addObserver(cache, on: .actor, for: CacheCleared.self) { cache, _ in cache.clear() }
/// ```
///
/// `Handler` is the type of the observer's closure. Each delivery decides it: ``main`` and ``actor`` say which it is, and so does
/// `queue(_:)` of TidingsFoundation.
public struct OwnerDelivery<Owner: AnyObject & Sendable, Notification: Sendable, Handler: Sendable>: Sendable {
    /// Where the observer runs, in a word.
    @export(implementation) package let mode: DeliveryMode

    /// Registers an observer's closure.
    @export(implementation) package let register:
        @Sendable (AsynchronousRegistration<Notification>, Owner, ObserverClosure<Handler>) -> NotificationToken

    /// - Parameters:
    ///   - mode: Where the observer runs, in a word.
    ///   - register: Registers an observer's closure, by one of the `observe` methods of the registration.
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

/// An observer's closure, as it was handed to `addObserver`. In a struct, it is not wrapped on its way to the turns.
@usableFromInline
package struct ObserverClosure<Handler: Sendable>: Sendable {
    @export(implementation) package let call: Handler

    @export(implementation)
    package init(_ call: Handler) { self.call = call }
}
