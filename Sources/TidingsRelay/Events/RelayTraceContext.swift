#if Tracing
    import Tracing
#endif

/// The position of an operation in a distributed trace, in the format of the W3C's *Trace Context*.
///
/// A relay adds the current context to each message that it sends. While it posts a notification that has arrived,
/// ``current`` is the context of the received message, so notifications that observers post belong to the same trace.
///
/// With the trait `Tracing`, the program's instrument also injects the `ServiceContext` of swift-distributed-tracing
/// into outgoing messages, and extracts it from incoming ones. Messages carry only the fields `traceparent` and
/// `tracestate`. Values that the instrument injects take precedence over ``current``.
///
/// ```swift
/// RelayTraceContext.$current.withValue(RelayTraceContext(traceparent: header)) { center.post(OrderPlaced(number: 7)) }
/// ```
public struct RelayTraceContext: Hashable, Sendable {
    /// The version, the trace, the parent span and the flags: `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01`.
    public var traceparent: String

    /// Additional data of tracing systems.
    public var tracestate: String?

    /// The context of the current task, or `nil` if there is none.
    @TaskLocal public static var current: RelayTraceContext?

    /// Creates a context that refers to a span.
    ///
    /// - Parameters:
    ///   - traceparent: The version, the trace, the parent span and the flags: see ``traceparent``.
    ///   - tracestate: Additional data of tracing systems.
    public init(traceparent: String, tracestate: String? = nil) {
        self.traceparent = traceparent
        self.tracestate = tracestate
    }

    static var outgoing: RelayTraceContext? {
        #if Tracing
            if let context = ServiceContext.current {
                var written = RelayTraceContext(traceparent: "")
                InstrumentationSystem.instrument.inject(context, into: &written, using: TraceFields())
                if !written.traceparent.isEmpty { return written }
            }
        #endif
        return current
    }

    static func withArrived<Result>(_ trace: RelayTraceContext?, _ post: () -> Result) -> Result {
        #if Tracing
            if let trace {
                var context = ServiceContext.topLevel
                InstrumentationSystem.instrument.extract(trace, into: &context, using: TraceFields())
                return $current.withValue(trace) { ServiceContext.withValue(context, operation: post) }
            }
        #endif
        if trace == nil, current == nil { return post() }
        return $current.withValue(trace, operation: post)
    }
}

#if Tracing
    private struct TraceFields: Extractor, Injector {
        func extract(key: String, from trace: RelayTraceContext) -> String? {
            switch key.lowercased() {
            case "traceparent": trace.traceparent
            case "tracestate": trace.tracestate
            default: nil
            }
        }

        func inject(_ value: String, forKey key: String, into trace: inout RelayTraceContext) {
            switch key.lowercased() {
            case "traceparent": trace.traceparent = value
            case "tracestate": trace.tracestate = value
            default: break
            }
        }
    }
#endif
