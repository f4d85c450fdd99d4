import CoreMetrics
import Synchronization
import Tracing

/// Metrics in atomic words, as in a backend that collects them periodically. They add little to the measured cost of a
/// monitor.
struct AtomicMetrics: MetricsFactory {
    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler { Cell() }
    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler { Cell() }
    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler { Cell() }
    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
}

/// A number, and a histogram by powers of two.
private final class Cell: CounterHandler, RecorderHandler, TimerHandler {
    private let sum = Atomic(Int64(0))
    private let buckets = Buckets()

    func increment(by amount: Int64) { sum.wrappingAdd(amount, ordering: .relaxed) }
    func reset() { sum.store(0, ordering: .relaxed) }
    func record(_ value: Int64) { sum.store(value, ordering: .relaxed) }
    func record(_ value: Double) { sum.store(Int64(value), ordering: .relaxed) }
    func recordNanoseconds(_ duration: Int64) {
        sum.wrappingAdd(duration, ordering: .relaxed)
        buckets.count(duration)
    }
}

/// Counts durations by their number of binary digits.
private final class Buckets: Sendable {
    private let counts = (0..<64).map { _ in Bucket() }

    private final class Bucket: Sendable { let count = Atomic(0) }

    func count(_ duration: Int64) {
        counts[63 - max(1, duration).leadingZeroBitCount].count.wrappingAdd(1, ordering: .relaxed)
    }
}

/// A tracer that creates spans with identities and attributes, and discards them when they end. Other tracers pass
/// spans to an exporter.
struct CountingTracer: Tracer {
    private static let last = Atomic(0)

    func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
    ) -> CountedSpan {
        var context = context()
        let parent = context[SpanID.self] ?? 0
        context[SpanID.self] = Self.last.add(1, ordering: .relaxed).newValue
        return CountedSpan(operationName, context, parent: parent, begun: instant().nanosecondsSinceEpoch)
    }

    func forceFlush() {}

    func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {}

    func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {}
}

private enum SpanID: ServiceContextKey {
    typealias Value = Int
}

final class CountedSpan: Span {
    private struct State: Sendable {
        var name: String
        var attributes = SpanAttributes()
        var links: [SpanLink] = []
        var events: [SpanEvent] = []
        var errors: [any Error] = []
        var status: SpanStatus?
        var ended: UInt64?
    }

    let context: ServiceContext
    let parent: Int
    private let begun: UInt64
    private let state: Mutex<State>

    init(_ name: String, _ context: ServiceContext, parent: Int, begun: UInt64) {
        self.context = context
        self.parent = parent
        self.begun = begun
        state = Mutex(State(name: name))
    }

    var isRecording: Bool { state.withLock { $0.ended == nil } }
    var operationName: String {
        get { state.withLock { $0.name } }
        set { state.withLock { $0.name = newValue } }
    }
    var attributes: SpanAttributes {
        get { state.withLock { $0.attributes } }
        set { state.withLock { $0.attributes = newValue } }
    }
    func setStatus(_ status: SpanStatus) { state.withLock { $0.status = status } }
    func addEvent(_ event: SpanEvent) { state.withLock { $0.events.append(event) } }
    func addLink(_ link: SpanLink) { state.withLock { $0.links.append(link) } }
    func recordError<Instant: TracerInstant>(
        _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
    ) { state.withLock { $0.errors.append(error) } }
    func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        let now = instant().nanosecondsSinceEpoch
        state.withLock { $0.ended = now }
    }
}
