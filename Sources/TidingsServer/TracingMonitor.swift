#if Tracing
    public import Tidings
    public import Tracing

    /// Traces posts and asynchronous calls with swift-distributed-tracing, in the context of the poster.
    ///
    /// ```swift
    /// let attachment = center.attach(TracingMonitor())
    /// ```
    ///
    /// The span of a post is a child of the poster's span, and contains the work of observers that the post calls
    /// directly. The span of an asynchronous call is a child of the post's span and linked to it, even if the call is
    /// made much later. Observers run with the poster's `ServiceContext` as the current one.
    ///
    /// Spans are named `post` or `deliver`, followed by the notification. Their attributes begin with `tidings.`:
    /// `notification`, `delivery`, `observer` (the same label as in logs and metrics), `group` and `registered_at`. As
    /// in the conventions of OpenTelemetry, `code.file.path` and `code.line.number` of a post identify its source line.
    /// The span of a call that throws records the error and has the error status.
    ///
    /// A sequence has no calls to trace, because its consumer runs in its own context.
    public struct TracingMonitor: ContextCarryingMonitor {
        /// Failures only, because spans need no other events. If ``carriesContexts`` is false, the monitor receives no
        /// events.
        public var interests: MonitorInterests { carriesContexts ? .failures : [] }

        /// Whether the monitor has a tracer, or the program has bootstrapped an instrument. Without either, an attached
        /// monitor costs nothing. Attach the monitor after `InstrumentationSystem.bootstrap(_:)`.
        public var carriesContexts: Bool {
            isGiven ? given != nil : type(of: InstrumentationSystem.instrument) != NoOpInstrument.self
        }

        /// The tracer that was passed, or `nil` if none was passed or the tracer creates no spans.
        private let given: (any Tracer)?
        private let isGiven: Bool

        private let names = KeptValues<NotificationSubject, SpanNames> { SpanNames($0) }

        private var tracer: (any Tracer)? {
            if isGiven { return given }
            // Without an instrument, this check avoids the lookup of the tracer. The lookup contains a cast that takes
            // longer than the rest of the post.
            if type(of: InstrumentationSystem.instrument) == NoOpInstrument.self { return nil }
            let tracer = InstrumentationSystem.tracer
            return tracer is NoOpTracer ? nil : tracer
        }

        /// Creates a monitor for a tracer.
        ///
        /// - Parameter tracer: The tracer, or `nil` for the program's global one.
        public init(_ tracer: (any Tracer)? = nil) {
            given = tracer is NoOpTracer ? nil : tracer
            isGiven = tracer != nil
        }

        /// Records an observer's error in the span of its asynchronous call.
        ///
        /// - Parameter event: The event.
        public func receive(_ event: NotificationEvent) {
            // An observer's failure is reported during the call, in the context of the call's span.
            guard case .failed(let failure) = event, failure.observer != nil, let error = failure.error,
                let span = ServiceContext.current?[CallSpan.self], span.isRecording
            else { return }
            span.recordError(error)
            span.setStatus(SpanStatus(code: .error, message: "\(error)"))
        }

        /// Makes a post in a span.
        ///
        /// - Parameters:
        ///   - subject: The subject of the post.
        ///   - place: The source line of the post, if it is known.
        ///   - body: The post.
        public func post(_ subject: NotificationSubject, from place: SourcePlace?, perform body: () -> Void) {
            guard let tracer else { return body() }
            names.with(subject) { names in
                let span = tracer.startAnySpan(
                    names.post, context: ServiceContext.current ?? .topLevel, ofKind: .producer)
                if span.isRecording {
                    span.attributes["tidings.notification"] = names.notification
                    if let place {
                        span.attributes["code.file.path"] = "\(place.fileID)"
                        span.attributes["code.line.number"] = Int(place.line)
                    }
                }
                ServiceContext.withValue(span.context, operation: body)
                span.end()
            }
        }

        /// Returns the context of the post.
        ///
        /// - Parameter observer: The observer that will be called.
        /// - Returns: The context.
        public func context(for observer: ObserverDescription) -> ServiceContext { ServiceContext.current ?? .topLevel }

        /// Makes an asynchronous call in a span.
        ///
        /// - Parameters:
        ///   - observer: The observer that is called.
        ///   - context: The context of the post.
        ///   - body: The call.
        public func call(_ observer: ObserverDescription, in context: ServiceContext, perform body: () -> Void) {
            guard let span = span(of: observer, in: context) else {
                return isInherited(context) ? body() : ServiceContext.withValue(context, operation: body)
            }
            ServiceContext.withValue(CallSpan.context(of: span), operation: body)
            span.end()
        }

        /// Makes an asynchronous call in a span.
        ///
        /// - Parameters:
        ///   - observer: The observer that is called.
        ///   - context: The context of the post.
        ///   - body: The call.
        nonisolated(nonsending)
            public func call(
                _ observer: ObserverDescription, in context: ServiceContext,
                perform body: nonisolated(nonsending) () async -> Void
            ) async
        {
            guard let span = span(of: observer, in: context) else {
                return isInherited(context)
                    ? await body() : await ServiceContext.withValue(context, operation: body)
            }
            await ServiceContext.withValue(CallSpan.context(of: span), operation: body)
            span.end()
        }

        private func span(of observer: ObserverDescription, in context: ServiceContext) -> (any Span)? {
            guard let tracer else { return nil }
            var begun: (any Span)?
            names.with(observer.subject) { names in
                let span = tracer.startAnySpan(names.delivery, context: context, ofKind: .consumer)
                if span.isRecording {
                    span.addLink(SpanLink(context: context, attributes: [:]))
                    span.attributes["tidings.notification"] = names.notification
                    span.attributes["tidings.delivery"] = observer.delivery.label
                    span.attributes["tidings.observer"] = observer.label
                    if let group = observer.group { span.attributes["tidings.group"] = group }
                    span.attributes["tidings.registered_at"] = "\(observer.place)"
                }
                begun = span
            }
            return begun
        }

        /// Whether `context` and the current context are empty, so `context` doesn't have to replace the current one.
        private func isInherited(_ context: ServiceContext) -> Bool {
            context.isEmpty && ServiceContext.current?.isEmpty != false
        }
    }

    private enum CallSpan: ServiceContextKey {
        typealias Value = any Span

        static func context(of span: any Span) -> ServiceContext {
            var context = span.context
            context[CallSpan.self] = span
            return context
        }
    }

    private final class SpanNames: Sendable {
        let notification: String
        let post: String
        let delivery: String

        init(_ subject: NotificationSubject?) {
            notification = subject?.label ?? "other"
            post = "post \(notification)"
            delivery = "deliver \(notification)"
        }
    }
#else
    public import Tidings

    /// A stand-in for programs without the trait `Tracing`. Using it is a compiler error that names the trait.
    @available(
        *, unavailable,
        message: "needs a trait: in Package.swift, add traits: [\"Tracing\"] to the dependency on tidings"
    )
    public struct TracingMonitor: NotificationMonitor {
        /// Accepts the same arguments as the real initializer, so the compiler reports only the missing trait.
        public init(_ tracer: Any? = nil) { fatalError("unavailable") }

        /// Does nothing.
        public func receive(_ event: NotificationEvent) {}
    }
#endif
