@usableFromInline
struct SequenceInlet<Element: Sendable> {
    /// Whether a notification is of the inlet's type. The sequence's element type includes all notification types.
    @usableFromInline let accepts: @Sendable (Any) -> Bool
    @usableFromInline let observe: ObservedSubject<Element>

    @export(implementation)
    init(accepting accepts: @escaping @Sendable (Any) -> Bool, _ observe: @escaping ObservedSubject<Element>) {
        self.accepts = accepts
        self.observe = observe
    }
}

extension NotificationSequence {
    /// Creates a sequence that ends when the closures of all inlets have been released.
    @export(implementation)
    init(
        of inlets: [SequenceInlet<Element>], buffering policy: BufferingPolicy, _ fileID: StaticString, _ line: UInt
    ) {
        let registration = ObserverRegistration(fileID: fileID, line: line, delivery: .sequence)
        let source = SequenceSource<Element>(buffering: policy, SourcePlace(fileID: fileID, line: line))
        let entrance = SequenceEntrance(source)
        let queues = inlets.map { SharedQueue(source, accepting: $0.accepts) }
        let observations = zip(inlets, queues).map { inlet, queue in
            inlet.observe(registration.with(queue: queue, intendsDrops: policy.intendsDrops)) { element in
                extendLifetime(entrance)
                queue.put(element)
            }
        }
        self.init(
            lifetime: SequenceLifetime(source, observation: CombinedObservation(of: observations), queues: queues))
    }
}

/// The queue of one type in a sequence of several types. Each such queue has its own reporter, so that monitors receive
/// the type of each notification.
@usableFromInline
final class SharedQueue<Element: Sendable>: ObserverQueue, RoomQueue {
    private let source: SequenceSource<Element>
    private let accepts: @Sendable (Any) -> Bool
    private let reporter = Lock<QueueReporter?>(nil)

    @usableFromInline
    init(_ source: SequenceSource<Element>, accepting accepts: @escaping @Sendable (Any) -> Bool) {
        self.source = source
        self.accepts = accepts
    }

    @usableFromInline
    func put(_ element: Element) {
        source.put(element, toldBy: source.isMonitored ? reporter.withLock { $0 } : nil)
    }

    @usableFromInline var status: QueueStatus { source.status }

    @usableFromInline
    func report(to reporter: QueueReporter) {
        let reporter = reporter.tellingEach
        // `previous` is released after the unlock, because releasing it may run the `deinit` of a monitor.
        let previous = self.reporter.withLock { current in
            let previous = current
            current = reporter
            return previous
        }
        source.report(to: reporter)
        _ = previous
    }

    @usableFromInline
    func countDrops(with counter: DropCounter) { source.countDrops(with: counter) }

    @usableFromInline
    func whenHandled(for wait: ObjectIdentifier?, _ resume: @escaping @Sendable () -> Void) {
        source.whenHandled(for: wait, resume)
    }

    @usableFromInline
    func giveUp(_ wait: ObjectIdentifier) { source.giveUp(wait) }

    func roomKeepers(for element: Any) -> [any RoomKeeper] {
        accepts(element) ? source.roomKeepers(for: element) : []
    }

    @usableFromInline
    func cancel() { source.cancel() }
}
