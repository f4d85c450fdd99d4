import InMemoryTracing
import Instrumentation
import TestSupport
import Testing
import Tidings
import TidingsServer
import TidingsTesting
import Tracing

private enum RequestID: ServiceContextKey {
    typealias Value = String
}

extension ServiceContext {
    fileprivate var requestID: String? {
        get { self[RequestID.self] }
        set { self[RequestID.self] = newValue }
    }
}

private struct Refused: Error {}

@Suite(.timeLimit(.minutes(2))) struct TracingMonitorTests {
    private let center = NativeNotificationCenter()
    private let tracer = InMemoryTracer()

    @Test func `a monitor without a tracer requests no events and carries no context`() {
        for monitor in [TracingMonitor(), TracingMonitor(NoOpTracer())] {
            #expect(monitor.interests == [])
            #expect(!monitor.carriesContexts)
        }
        #expect(TracingMonitor(tracer).carriesContexts)
    }

    private func span(_ name: String) -> FinishedInMemorySpan? {
        tracer.finishedSpans.first { $0.operationName == name }
    }

    @Test
    func `the span of a post is a child of the current span, and observers run in the poster's context`()
        throws
    {
        let (received, tracer) = (ReceivedValues<String?>(), tracer)
        let attachment = center.attach(TracingMonitor(tracer))
        let token = center.addObserver(for: Cleared.self) { _ in
            received.append(ServiceContext.current?.requestID)
            tracer.withSpan("in the post") { _ in }
        }
        var context = ServiceContext.topLevel
        context.requestID = "7"
        tracer.withSpan("request", context: context) { _ in _ = center.post(Cleared()) }
        let line = #line - 1
        #expect(received.values == ["7"])
        let post = try #require(span("post AdapterTests.Cleared"))
        #expect(post.kind == .producer)
        #expect(post.parentSpanID == span("request")?.spanID)
        #expect(post.traceID == span("request")?.traceID)
        #expect(span("in the post")?.parentSpanID == post.spanID)
        #expect(post.attributes["tidings.notification"]?.toSpanAttribute() == "AdapterTests.Cleared")
        #expect(post.attributes["code.file.path"]?.toSpanAttribute() == "AdapterTests/TracingMonitorTests.swift")
        #expect(post.attributes["code.line.number"]?.toSpanAttribute() == SpanAttribute.int64(Int64(line)))
        #expect(tracer.activeSpans.isEmpty)
        withExtendedLifetime((attachment, token)) {}
    }

    @Test
    func
        `an asynchronous call runs in the poster's context, and its span is linked to the span of the post`()
        async throws
    {
        let (received, actor, done) = (ReceivedValues<String?>(), StoppedActor(), Gate())
        let attachment = center.attach(TracingMonitor(tracer))
        let tokens = [
            center.addObserver(actor, on: .actor, for: Counted.self) { _, _ in
                received.append(ServiceContext.current?.requestID)
            },
            center.addObserver(on: .task, for: Counted.self) { [tracer] _ in
                await Task.yield()
                received.append(ServiceContext.current?.requestID)
                tracer.withSpan("in the call") { _ in }
                done.open()
            },
        ]
        let line = #line - 7
        var context = ServiceContext.topLevel
        context.requestID = "7"
        tracer.withSpan("request", context: context) { _ in _ = center.post(Counted(number: 1)) }
        await done.wait()
        await actor.executor.run { tracer.finishedSpans.count == 5 }
        #expect(received.values == ["7", "7"])
        let post = try #require(span("post AdapterTests.Counted"))
        let calls = tracer.finishedSpans.filter { $0.operationName == "deliver AdapterTests.Counted" }
        #expect(calls.count == 2)
        for call in calls {
            #expect(call.kind == .consumer)
            #expect(call.parentSpanID == post.spanID)
            #expect(call.links.map(\.context.inMemorySpanContext?.spanID) == [post.spanID])
            #expect(call.attributes["tidings.notification"]?.toSpanAttribute() == "AdapterTests.Counted")
        }
        let places = Set(calls.map { "\($0.attributes["tidings.registered_at"]?.toSpanAttribute() ?? "")" })
        #expect(places.count == 2)
        let names = calls.map { "\($0.attributes["tidings.observer"]?.toSpanAttribute() ?? "")" }
        #expect(names.contains { $0.contains("TestSupport.StoppedActor") })
        #expect(places.contains { $0.contains("AdapterTests/TracingMonitorTests.swift:\(line)") })
        let task = calls.first { $0.attributes["tidings.delivery"]?.toSpanAttribute() == "task" }
        #expect(span("in the call")?.parentSpanID == task?.spanID)
        #expect(tracer.activeSpans.isEmpty)
        withExtendedLifetime((attachment, tokens)) {}
    }

    @Test func `a post outside any span begins a trace, and posts before the monitor is attached have no span`()
        async throws
    {
        let (received, actor) = (ReceivedValues<Int>(), StoppedActor())
        center.addObserver(actor, on: .actor, for: Counted.self) { _, note in received.append(note.number) }
        center.post(Counted(number: 0))
        let attachment = center.attach(TracingMonitor(tracer))
        center.post(Counted(number: 1))
        await actor.executor.run { received.count == 2 && tracer.finishedSpans.count == 2 }
        #expect(received.values == [0, 1])
        #expect(
            tracer.finishedSpans.map(\.operationName) == ["post AdapterTests.Counted", "deliver AdapterTests.Counted"])
        #expect(span("post AdapterTests.Counted")?.parentSpanID == nil)
        withExtendedLifetime(attachment) {}
    }

    private final class Consumer: MessageConsumer {
        func consume(_ message: Counted) {}
    }

    @Test func `the spans of a message bus contain the source lines of the dispatch and of the registration`()
        async throws
    {
        let (bus, consumer) = (MessageBus<Counted>(), Consumer())
        let attachment = bus.attach(TracingMonitor(tracer))
        bus.add(consumer)
        bus.dispatch(Counted(number: 1))
        let line = #line - 1
        await bus.drain(within: .seconds(600))
        let post = try #require(span("post AdapterTests.Counted"))
        #expect(post.attributes["code.file.path"]?.toSpanAttribute() == "AdapterTests/TracingMonitorTests.swift")
        #expect(post.attributes["code.line.number"]?.toSpanAttribute() == SpanAttribute.int64(Int64(line)))
        await eventually("the delivery has a span") { span("deliver AdapterTests.Counted") != nil }
        let place = span("deliver AdapterTests.Counted")?.attributes["tidings.registered_at"]?.toSpanAttribute()
        #expect(place == "AdapterTests/TracingMonitorTests.swift:\(line - 1)")
        // A call through `any MessageProducer` doesn't pass the caller's line.
        (bus as any MessageProducer<Counted>).dispatch(Counted(number: 2))
        let other = tracer.finishedSpans.last { $0.operationName == "post AdapterTests.Counted" }
        #expect(other?.attributes["code.line.number"] == nil)
        withExtendedLifetime((attachment, consumer)) {}
    }

    @Test func `the span of a post made in a call is a child of the call's span`() async throws {
        let center = center
        let attachment = center.attach(TracingMonitor(tracer))
        let token = center.addObserver(on: .task, for: Counted.self) { _ in center.post(Cleared()) }
        await center.deliver(Counted(number: 1))
        #expect(tracer.finishedSpans.count == 3)
        #expect(span("post AdapterTests.Cleared")?.parentSpanID == span("deliver AdapterTests.Counted")?.spanID)
        withExtendedLifetime((attachment, token)) {}
    }

    @Test func `a tracing monitor requests only failures, so no other events are created for it`() {
        #expect(TracingMonitor(tracer).interests == .failures)
    }

    @Test func `two tracers can create spans for the same post and call`() async {
        let other = InMemoryTracer()
        let attachments = (center.attach(TracingMonitor(tracer)), center.attach(TracingMonitor(other)))
        let token = center.addObserver(on: .task, for: Counted.self) { _ in }
        await center.deliver(Counted(number: 1))
        #expect(other.finishedSpans.map(\.operationName).contains("deliver AdapterTests.Counted"))
        withExtendedLifetime((attachments, token)) {}
    }

    @Test func `the span of a call that throws has an error status, and the span of the next call doesn't`()
        async throws
    {
        let attachment = center.attach(TracingMonitor(tracer))
        let token = center.addObserver(on: .task, for: Counted.self) { note in
            if note.number == 1 { throw Refused() }
        }
        await center.deliver(Counted(number: 1))
        await center.deliver(Counted(number: 2))
        let spans = tracer.finishedSpans.filter { $0.operationName == "deliver AdapterTests.Counted" }
        #expect(spans.map { $0.status?.code == .error } == [true, false])
        #expect(spans.map(\.errors.count) == [1, 0])
        #expect(tracer.activeSpans.isEmpty)
        withExtendedLifetime((attachment, token)) {}
    }
}
