/// One of the types of a sequence of several.
struct SequenceInlet<Element: Sendable> {
    /// Begins to observe the type, with the registration and the closure it is given.
    let observe: (ObserverRegistration, @escaping @Sendable (Element) -> Void) -> any ObserverHandle
}

extension NotificationSequence {
    /// Makes a sequence of what several observations hand on.
    ///
    /// - Parameters:
    ///   - inlets: The types. When the closures of all of them are let go, the sequence has ended.
    ///   - policy: What becomes of elements that arrive faster than an iterator takes them.
    ///   - fileID: The file that makes the sequence.
    ///   - line: The line that makes the sequence.
    init(
        of inlets: [SequenceInlet<Element>], buffering policy: BufferingPolicy, _ fileID: StaticString, _ line: UInt
    ) {
        let registration = ObserverRegistration(fileID: fileID, line: line, delivery: .sequence)
        let source = SequenceSource<Element>(buffering: policy, SourcePlace(fileID: fileID, line: line))
        let entrance = SequenceEntrance(source)
        let observations = inlets.map { inlet in
            let queue = SharedQueue(entrance)
            return inlet.observe(registration.with(queue: queue)) { element in queue.put(element) }
        }
        self.init(lifetime: SequenceLifetime(source, observation: SequenceObservations(all: observations)))
    }
}

/// The queue of a sequence as one of its types has it: monitors are told of a notification as one of its own type.
private final class SharedQueue<Element: Sendable>: ObserverQueue, RoomQueue {
    private let entrance: SequenceEntrance<Element>
    private let reporter = Lock<QueueReporter?>(nil)

    init(_ entrance: SequenceEntrance<Element>) { self.entrance = entrance }

    func put(_ element: Element) {
        let source = entrance.source
        source.put(element, toldBy: source.isMonitored ? reporter.withLock { $0 } : nil)
    }

    var status: QueueStatus { entrance.source.status }

    func report(to reporter: QueueReporter) {
        let reporter = reporter.tellingEach
        // The previous reporter is released after the lock.
        let previous = self.reporter.withLock { current in
            let previous = current
            current = reporter
            return previous
        }
        entrance.source.report(to: reporter)
        _ = previous
    }

    func countDrops(with counter: DropCounter) { entrance.source.countDrops(with: counter) }

    func whenHandled(_ resume: @escaping @Sendable () -> Void) { entrance.source.whenHandled(resume) }

    func roomKeepers(for element: Any) -> [any RoomKeeper] { entrance.source.roomKeepers(for: element) }

    func cancel() { entrance.source.cancel() }
}

/// The observations that feed one sequence.
private struct SequenceObservations: NumberedObservation {
    let all: [any ObserverHandle]

    var center: ObjectIdentifier? { all.first?.center }
    var isActive: Bool { all.contains(where: \.isActive) }
    var numbers: [UInt64] { all.flatMap(\.knownNumbers) }
    var isCalled: Bool { all.contains(where: \.mayBeCalled) }

    func cancel() {
        for observation in all { observation.cancel() }
    }

    func end(_ reason: ObservationEndReason) {
        for observation in all { observation.end(reason) }
    }

    func drain() async {
        for observation in all { await observation.drain() }
    }
}
