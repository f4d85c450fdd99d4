#if Tracing
    public import Tidings
    public import Tracing

    /// Traces what happens in a center, with swift-distributed-tracing: a span for each post and for each asynchronous call, in
    /// the context of the poster.
    ///
    /// ```swift
    /// let attachment = center.attach(TracingMonitor())
    /// ```
    ///
    /// The span of a post is a child of the poster's, and what observers do in the post is part of it. The span of an
    /// asynchronous call is a child of the post's span and linked to it, however much later the call is made. Observers find the
    /// poster's `ServiceContext`, with all that it carries, as the current one.
    ///
    /// Spans are named `post` and `deliver` and the notification. Their attributes begin with `tidings.`: `notification`,
    /// `delivery` and `registered_at`. By the conventions of OpenTelemetry, `code.file.path` and `code.line.number` of a post say
    /// where the source makes it.
    ///
    /// A sequence has no calls to trace: its consumer runs in its own context.
    public struct TracingMonitor: ContextCarryingMonitor {
        private let given: (any Tracer)?

        /// The tracer that was given, or the one that the program has chosen by now.
        private var tracer: any Tracer { given ?? InstrumentationSystem.tracer }

        /// Makes a monitor for a tracer.
        ///
        /// - Parameter tracer: The tracer; `nil` for the one that the program chooses for all.
        public init(_ tracer: (any Tracer)? = nil) { given = tracer }

        /// Notes nothing: spans are made around posts and calls.
        ///
        /// - Parameter event: The event.
        public func receive(_ event: NotificationEvent) {}

        /// Makes a post in a span.
        ///
        /// - Parameters:
        ///   - subject: What is posted.
        ///   - place: Where the source posts it, if that is known.
        ///   - body: The post.
        public func post(_ subject: NotificationSubject, from place: SourcePlace?, perform body: () -> Void) {
            let span = tracer.startAnySpan(
                "post \(subject)", context: ServiceContext.current ?? .topLevel, ofKind: .producer)
            span.attributes["tidings.notification"] = subject.name
            if let place {
                span.attributes["code.file.path"] = "\(place.fileID)"
                span.attributes["code.line.number"] = Int(place.line)
            }
            ServiceContext.withValue(span.context, operation: body)
            span.end()
        }

        /// The context of the post.
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
            let span = span(of: observer, in: context)
            ServiceContext.withValue(span.context, operation: body)
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
            let span = span(of: observer, in: context)
            await ServiceContext.withValue(span.context, operation: body)
            span.end()
        }

        private func span(of observer: ObserverDescription, in context: ServiceContext) -> any Span {
            let span = tracer.startAnySpan("deliver \(observer.subject)", context: context, ofKind: .consumer)
            span.addLink(SpanLink(context: context, attributes: [:]))
            span.attributes["tidings.notification"] = observer.subject.name
            span.attributes["tidings.delivery"] = observer.delivery.label
            span.attributes["tidings.registered_at"] = "\(observer.place)"
            return span
        }
    }
#else
    /// Names the trait without which this module is empty.
    @available(*, unavailable, message: "enable the trait 'Tracing' of the package 'tidings' to use this")
    public enum TracingMonitor {}
#endif
