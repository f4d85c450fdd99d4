#if ServiceLifecycle
    public import ServiceLifecycle

    /// ```swift
    /// try await ServiceGroup(
    ///     services: [relay, observers, server], gracefulShutdownSignals: [.sigterm], logger: logger
    /// ).run()
    /// ```
    ///
    /// The group runs the relay, see ``NotificationRelay/run()``.
    extension NotificationRelay: Service {}
#endif

extension NotificationRelay: CustomStringConvertible {
    /// The relay, with the name of the program on the wire.
    public var description: String { "relay \(context.options.name)" }
}
