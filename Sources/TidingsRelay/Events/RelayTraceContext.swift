#if Tracing
    import Tracing
#endif

/// Where in a distributed trace something happens, in the form of the W3C's *Trace Context*.
///
/// A relay puts the current one into what it sends, and makes the one of a notification that arrives current while it posts it. So
/// what an observer in the post posts in answer belongs to the same trace.
///
/// With the trait `Tracing`, the relay does the same with the `ServiceContext` of swift-distributed-tracing: the instrument that the
/// program has chosen writes the current one into what is sent, and reads it out of what arrives. What it writes has precedence over
/// the ``current`` context.
///
/// ```swift
/// RelayTraceContext.$current.withValue(RelayTraceContext(traceparent: header)) { center.post(OrderPlaced(number: 7)) }
/// ```
public struct RelayTraceContext: Hashable, Sendable {
    /// The version, the trace, the parent span and the flags: `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01`.
    public var traceparent: String

    /// What tracing systems add of their own.
    public var tracestate: String?

    /// The context of the current task; `nil` if there is none.
    @TaskLocal public static var current: RelayTraceContext?

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

extension RelayTraceContext {
    /// The context that goes with what is sent now.
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

    /// Posts in the context of what arrived.
    ///
    /// - Parameters:
    ///   - trace: The context; `nil` if what arrived has none.
    ///   - post: Makes the post.
    /// - Returns: What the closure returns.
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
    /// The two fields of the W3C's Trace Context, as an instrument reads and writes them by their names.
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
