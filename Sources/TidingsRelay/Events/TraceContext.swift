/// Where in a distributed trace something happens, in the form of the W3C's *Trace Context*.
///
/// A relay puts the current one into what it sends, and makes the one of a notification that arrives current while it posts it. So
/// what an observer in the post posts in answer belongs to the same trace.
///
/// ```swift
/// TraceContext.$current.withValue(TraceContext(traceparent: header)) { center.post(OrderPlaced(number: 7)) }
/// ```
public struct TraceContext: Hashable, Sendable {
    /// The version, the trace, the parent span and the flags: `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01`.
    public var traceparent: String

    /// What tracing systems add of their own.
    public var tracestate: String?

    /// The context of the current task; `nil` if there is none.
    @TaskLocal public static var current: TraceContext?

    /// Refers to a span.
    ///
    /// - Parameters:
    ///   - traceparent: The version, the trace, the parent span and the flags.
    ///   - tracestate: What tracing systems add of their own.
    public init(traceparent: String, tracestate: String? = nil) {
        self.traceparent = traceparent
        self.tracestate = tracestate
    }
}
