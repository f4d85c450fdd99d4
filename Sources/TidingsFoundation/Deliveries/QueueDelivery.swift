public import Tidings

// These functions are compiled in the client, because unspecialized code would look up types for each notification.

extension Delivery where Handler == @Sendable (Notification) throws -> Void {
    /// Runs the observer after the post, on a dispatch queue, an operation queue, or a queue of your own. Write the
    /// closure as `{ note in … }`.
    ///
    /// The closure receives the notification, and may throw but not await. It never runs concurrently with itself, even
    /// on a concurrent queue. While the queue is suspended, notifications are queued. No notification is lost if
    /// `cancelAllOperations()` is called on an operation queue.
    ///
    /// ```swift
    /// center.addObserver(on: .queue(queue), for: CacheCleared.self) { note in try file.write() }.store(in: &tokens)
    /// ```
    ///
    /// - Parameter queue: The queue.
    /// - Returns: The delivery.
    @export(implementation)
    public static func queue(_ queue: some DeliveryQueue) -> Self {
        Self(.queue) { registration, handler in
            registration.observe(calling: QueueHandler(handler.call)) { mailbox, observer in
                queue.takeTurns {
                    guard let held = observer.held else { return false }
                    return mailbox.run(onFailure: held.respond, held.closure.call)
                }
            }
            .token()
        }
    }
}

extension OwnerDelivery where Handler == @Sendable (Owner, Notification) throws -> Void {
    /// Runs the observer after the post, on a dispatch queue, an operation queue, or a queue of your own. Write the
    /// closure as `{ me, note in … }`.
    ///
    /// The closure receives the owner and the notification, and may throw but not await. It never runs concurrently
    /// with itself, even on a concurrent queue. While the queue is suspended, notifications are queued. No notification
    /// is lost if `cancelAllOperations()` is called on an operation queue.
    ///
    /// - Parameter queue: The queue.
    /// - Returns: The delivery.
    @export(implementation)
    public static func queue(_ queue: some DeliveryQueue) -> Self {
        Self(.queue) { registration, owner, handler in
            let ownership = Ownership(owner)
            let handler = QueueOwnerHandler(handler.call)
            return registration.observe(tiedBy: ownership, calling: handler) { mailbox, observer in
                queue.takeTurns {
                    guard let owner = ownership.owner.object(as: Owner.self) else {
                        ownership.end()
                        return false
                    }
                    guard let held = observer.held else { return false }
                    return mailbox.run(onFailure: held.respond) { note in try held.closure.call(owner, note) }
                }
            }
            .token(owner: ownership)
        }
    }
}

/// Holds the closure in a struct, because a bare closure is wrapped in a thunk at each access.
@usableFromInline
struct QueueHandler<Element: Sendable>: Sendable {
    @usableFromInline let call: @Sendable (Element) throws -> Void

    @export(implementation)
    init(_ call: @escaping @Sendable (Element) throws -> Void) { self.call = call }
}

@usableFromInline
struct QueueOwnerHandler<Owner: AnyObject & Sendable, Element: Sendable>: Sendable {
    @usableFromInline let call: @Sendable (Owner, Element) throws -> Void

    @export(implementation)
    init(_ call: @escaping @Sendable (Owner, Element) throws -> Void) { self.call = call }
}
