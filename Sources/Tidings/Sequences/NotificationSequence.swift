/// Notifications as an asynchronous sequence, created with `notifications(of:sender:buffering:)`.
///
/// The sequence starts observing as soon as you create it, not at the first `next()`. The first iterator receives
/// everything posted since then. Each further iterator receives everything posted since its own creation, even if other
/// iterators receive the same elements.
///
/// A loop over the sequence ends at once when its task is cancelled. When the center or the sender has been
/// deallocated, the loop handles everything that was posted before, and then ends. Posts of the type, and registrations
/// of observers of the type, detect that a sender has been deallocated.
///
/// Releasing the sequence and its iterators ends the observation. Neither the center nor the sender is kept alive.
public struct NotificationSequence<Element: Sendable>: AsyncSequence, Sendable {
    /// A sequence of notifications never fails.
    public typealias Failure = Never

    private let lifetime: SequenceLifetime<Element>

    /// Creates a sequence that ends when the closure that `subject` receives is released.
    @export(implementation)
    package init(
        buffering policy: BufferingPolicy, where condition: (@Sendable (Element) -> Bool)? = nil,
        _ fileID: StaticString, _ line: UInt, subject: ObservedSubject<Element>
    ) {
        let place = SourcePlace(fileID: fileID, line: line)
        let source = SequenceSource<Element>(buffering: policy, where: condition, place)
        let registration = ObserverRegistration(fileID: fileID, line: line, delivery: .sequence)
            .with(queue: source, intendsDrops: policy.intendsDrops)
        let entrance = SequenceEntrance(source)
        let observation =
            if let condition {
                subject(registration.conditional) { element in
                    Refusal.perform(if: condition(element)) { entrance.receive(element) }
                }
            } else {
                subject(registration, entrance.receive)
            }
        self.init(lifetime: SequenceLifetime(source, observation: observation))
    }

    @usableFromInline
    init(lifetime: SequenceLifetime<Element>) { self.lifetime = lifetime }

    /// Creates an iterator, which must be used by one task at a time.
    public func makeAsyncIterator() -> Iterator {
        Iterator(reader: SequenceReader(lifetime))
    }

    /// The number of notifications that the buffering policy has dropped, for all iterators together.
    public var droppedCount: Int { lifetime.source.status.dropped }

    /// Ends each iterator after it has returned its buffered elements.
    func finish() { lifetime.source.finish() }

    @usableFromInline func endObservation() async { await lifetime.endObservation() }

    @usableFromInline var numbers: [UInt64] { lifetime.numbers }

    @usableFromInline var waiting: Int { lifetime.source.status.queued }

    /// An iterator over the notifications of a sequence. Copies of an iterator share its buffered elements.
    public struct Iterator: AsyncIteratorProtocol {
        @export(implementation) let reader: SequenceReader<Element>

        /// Waits for the next notification.
        ///
        /// - Returns: The notification; `nil` when the sequence has ended or the task is cancelled.
        @export(implementation)
        public mutating func next() async -> Element? {
            await reader.next(isolation: #isolation)
        }

        /// Waits for the next notification.
        ///
        /// - Parameter actor: The isolation of the caller.
        /// - Returns: The notification; `nil` when the sequence has ended or the task is cancelled.
        @export(implementation)
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            await reader.next(isolation: actor)
        }
    }
}

/// Only the sequence and its iterators hold this object. When all of them have been released, the observation ends.
@usableFromInline
final class SequenceLifetime<Element: Sendable>: Sendable {
    let source: SequenceSource<Element>
    private let observation: any ObserverHandle

    /// The queues of a sequence of several types. A center's `finish` uses the queues even after it has released the
    /// observers' closures.
    private let queues: [SharedQueue<Element>]

    @usableFromInline
    init(_ source: SequenceSource<Element>, observation: any ObserverHandle, queues: [SharedQueue<Element>] = []) {
        self.source = source
        self.observation = observation
        self.queues = queues
    }

    deinit { observation.end(.tokenReleased) }

    var numbers: [UInt64] { observation.knownNumbers }

    func endObservation() async {
        observation.cancel()
        await observation.drain()
    }
}
