/// A type that receives the events of a center or a bus, such as posts, deliveries, registrations and failures.
///
/// ```swift
/// struct Printer: NotificationMonitor {
///     func receive(_ event: NotificationEvent) { print(event) }
/// }
/// attachment = center.attach(Printer())
/// ```
///
/// A monitor is called where the event happens, synchronously and while no lock is held, so it should be fast. It may
/// post and observe in the same center. Events that a monitor causes aren't sent to any monitor, because one event
/// would otherwise lead to the next without end. This applies to everything that ``receive(_:)`` does, to tasks that
/// inherit its task-local values, and, in monitored centers, to asynchronous observers of the notifications that the
/// monitor posts.
public protocol NotificationMonitor: Sendable {
    /// The events that the monitor receives, unless the call that attaches it chooses other events. The default is all
    /// events. This property is read when the monitor is attached.
    var interests: MonitorInterests { get }

    /// Receives an event.
    ///
    /// - Parameter event: The event. A post or a call is reported when it has ended, so a post is reported after the
    ///   posts that its observers make.
    func receive(_ event: NotificationEvent)
}

extension NotificationMonitor {
    /// All events.
    public var interests: MonitorInterests { .everything }
}

/// A monitor, such as a tracer, that runs posts and calls in a context of its own, and carries the context from a post
/// to the resulting asynchronous calls.
///
/// `post` and `call` receive a closure, which they have to call exactly once. `call` isn't used for sequences, because
/// the consumer of a sequence runs in its own context.
public protocol ContextCarryingMonitor: NotificationMonitor {
    /// The type of the context that is carried from a post to an asynchronous call.
    associatedtype Context: Sendable

    /// Whether there are contexts to carry; `true` by default. This property is read when the monitor is attached. If
    /// it is `false`, the other methods of this protocol aren't called, and posts don't become slower.
    var carriesContexts: Bool { get }

    /// Runs a post in a context, including the observers that run in the post.
    ///
    /// - Parameters:
    ///   - subject: The notification type or the name that is posted.
    ///   - place: The line of source that posts it, as in ``NotificationPost/place``.
    ///   - body: The post. It must be called once.
    func post(_ subject: NotificationSubject, from place: SourcePlace?, perform body: () -> Void)

    /// Returns the context to carry to an asynchronous call. This method is called during the post that causes the
    /// call.
    ///
    /// - Parameter observer: The observer that will be called.
    /// - Returns: The context.
    func context(for observer: ObserverDescription) -> Context

    /// Runs a call of an asynchronous observer in a context. The call doesn't suspend.
    ///
    /// - Parameters:
    ///   - observer: The observer that is called.
    ///   - context: The context that was carried from the post.
    ///   - body: The call. It must be called once.
    func call(_ observer: ObserverDescription, in context: Context, perform body: () -> Void)

    /// Runs a call of an asynchronous observer in a context. The call may suspend.
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

extension ContextCarryingMonitor {
    /// `true` by default, so that contexts are carried.
    @export(implementation) public var carriesContexts: Bool { true }
}

package protocol LookingMonitor: NotificationMonitor {
    func look(at calls: [CallUnderWay], by attachment: ObjectIdentifier)

    /// Called when the checks for slow calls begin, on the thread that starts them. `progress` returns `nil` after the
    /// checks have ended, and may be called on any thread.
    func checksBegan(
        by attachment: ObjectIdentifier, every interval: Duration, _ progress: @escaping @Sendable () -> CheckProgress?)
}

extension LookingMonitor {
    package func look(at calls: [CallUnderWay], by attachment: ObjectIdentifier) {}
    package func checksBegan(
        by attachment: ObjectIdentifier, every interval: Duration, _ progress: @escaping @Sendable () -> CheckProgress?
    ) {}
}

/// The moment of the last check for slow calls, and the calls that are running. The checks run in a task, so they stop
/// while the cooperative thread pool is blocked. `last` then shows that they have stopped.
package struct CheckProgress: Sendable {
    /// In nanoseconds; see ``Moment``.
    package let last: Int64
    package let calls: @Sendable () -> [CallUnderWay]

    package init(last: Int64, calls: @escaping @Sendable () -> [CallUnderWay]) {
        self.last = last
        self.calls = calls
    }
}

extension ContextCarryingMonitor {
    func anyContext(for observer: ObserverDescription) -> any Sendable { context(for: observer) }

    func call(_ observer: ObserverDescription, inAny context: any Sendable, _ body: () -> Void) {
        // The cast succeeds, because the context comes from `anyContext(for:)` of the same monitor.
        if let context = context as? Context { call(observer, in: context, perform: body) } else { body() }
    }

    nonisolated(nonsending)
        func call(
            _ observer: ObserverDescription, inAny context: any Sendable,
            _ body: nonisolated(nonsending) () async -> Void
        ) async
    {
        if let context = context as? Context { await call(observer, in: context, perform: body) } else { await body() }
    }
}
