/// Something that is told what happens in a center or a bus: each post, delivery, drop, registration and end, and each failure.
///
/// ```swift
/// struct Printer: NotificationMonitor {
///     func receive(_ event: NotificationEvent) { print(event) }
/// }
/// attachment = center.attach(Printer())
/// ```
///
/// A monitor is called where the event happens, synchronously and with no lock held, so it should be quick. It may post and
/// observe in the same center. Its own effects are not monitored, by itself or by another monitor, as one event would otherwise
/// lead to the next without end. That holds for everything that ``receive(_:)`` does, for tasks that inherit its task-local
/// values, and for asynchronous observers of monitored centers while they handle what it posted.
public protocol NotificationMonitor: Sendable {
    /// What the monitor wants to be told, unless the call that attaches it chooses otherwise. The default is everything.
    ///
    /// It is asked when the monitor is attached. What no attached monitor wants is not measured.
    var interests: MonitorInterests { get }

    /// Takes an event.
    ///
    /// - Parameter event: The event. It is told when it is over, so a post is told after the posts that its observers made.
    func receive(_ event: NotificationEvent)
}

extension NotificationMonitor {
    /// Everything.
    public var interests: MonitorInterests { .everything }
}

/// A monitor that runs posts and calls in a context of its own, and carries it from a post to the asynchronous calls that the
/// post causes: a tracer.
///
/// Each method gets a body and calls it, once, in a context of the monitor's choice. A sequence has no body to call: its consumer
/// runs in a context of its own.
public protocol ContextCarryingMonitor: NotificationMonitor {
    /// The context that is carried from a post to an asynchronous call.
    associatedtype Context: Sendable

    /// Makes a post, with all calls that are made in it.
    ///
    /// - Parameters:
    ///   - subject: The notification type, or the name, that is posted.
    ///   - place: The line of source that posts it, as in ``NotificationPost/place``.
    ///   - body: The post. It must be called once.
    func post(_ subject: NotificationSubject, from place: SourcePlace?, perform body: () -> Void)

    /// The context to carry to an asynchronous call. It is asked for in the post that causes the call.
    ///
    /// - Parameter observer: The observer that will be called.
    /// - Returns: The context.
    func context(for observer: ObserverDescription) -> Context

    /// Makes an asynchronous call that does not suspend.
    ///
    /// - Parameters:
    ///   - observer: The observer that is called.
    ///   - context: The context that was carried from the post.
    ///   - body: The call. It must be called once.
    func call(_ observer: ObserverDescription, in context: Context, perform body: () -> Void)

    /// Makes an asynchronous call that may suspend.
    ///
    /// - Parameters:
    ///   - observer: The observer that is called.
    ///   - context: The context that was carried from the post.
    ///   - body: The call. It must be called once.
    nonisolated(nonsending)
        func call(
            _ observer: ObserverDescription, in context: Context, perform body: nonisolated(nonsending) () async -> Void
        ) async
}

/// A monitor that looks, as often as calls are looked at that may take too long, at what is under way.
package protocol LookingMonitor: NotificationMonitor {
    /// Looks at what is under way.
    ///
    /// - Parameters:
    ///   - calls: The calls that are running, and the queues in which something waits; none when all have ended.
    ///   - attachment: By which attachment of the monitor.
    func look(at calls: [CallUnderWay], by attachment: ObjectIdentifier)
}

// Asked as an existential, a monitor takes and returns its context without its type.
extension ContextCarryingMonitor {
    func anyContext(for observer: ObserverDescription) -> any Sendable { context(for: observer) }

    func call(_ observer: ObserverDescription, inAny context: any Sendable, _ body: () -> Void) {
        // The cast succeeds, as the context comes from `anyContext(for:)` of the same monitor.
        if let context = context as? Context { call(observer, in: context, perform: body) } else { body() }
    }

    nonisolated(nonsending)
        func call(
            _ observer: ObserverDescription, inAny context: any Sendable,
            _ body: nonisolated(nonsending) () async -> Void
        ) async
    {
        // The cast succeeds, as above.
        if let context = context as? Context { await call(observer, in: context, perform: body) } else { await body() }
    }
}
