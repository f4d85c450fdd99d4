/// A monitor that runs posts and calls in a context of its own, and carries it from a post to the asynchronous calls that it
/// causes: a tracer.
///
/// Each method gets a body and calls it, once, in whatever context it likes. A sequence has no body to call: its consumer
/// runs in a context of its own.
public protocol ContextCarryingMonitor: NotificationMonitor {
    /// What is carried from a post to an asynchronous call.
    associatedtype Context: Sendable

    /// Makes a post, with all calls that are made in it.
    ///
    /// - Parameters:
    ///   - subject: What is posted.
    ///   - place: Where the source posts it, as in ``NotificationPost/place``.
    ///   - body: The post. It must be called once.
    func post(_ subject: NotificationSubject, from place: SourcePlace?, perform body: () -> Void)

    /// The context to carry to an asynchronous call; asked in the post that causes the call.
    ///
    /// - Parameter observer: The observer that will be called.
    /// - Returns: The context.
    func context(for observer: ObserverDescription) -> Context

    /// Makes an asynchronous call that does not suspend.
    ///
    /// - Parameters:
    ///   - observer: The observer that is called.
    ///   - context: What was carried from the post.
    ///   - body: The call. It must be called once.
    func call(_ observer: ObserverDescription, in context: Context, perform body: () -> Void)

    /// Makes an asynchronous call that may suspend.
    ///
    /// - Parameters:
    ///   - observer: The observer that is called.
    ///   - context: What was carried from the post.
    ///   - body: The call. It must be called once.
    nonisolated(nonsending)
        func call(
            _ observer: ObserverDescription, in context: Context, perform body: nonisolated(nonsending) () async -> Void
        ) async
}
