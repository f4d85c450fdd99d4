/// Notifications as an asynchronous sequence, made with `notifications(of:sender:buffering:)`.
///
/// Observing starts when the sequence is made, not at the first `next()`. The first iterator gets everything since then,
/// each further one everything since its own making; they do not take anything away from each other.
///
/// A loop over the sequence ends
///
/// - at once when its task is cancelled, also if that was before the loop began;
/// - when the center has ended, and with a sender that has ended by the next post or registration of the type, after what
///   was posted before.
///
/// Letting go of the sequence and its iterators ends the observation. They keep neither the center nor the sender alive.
public struct NotificationSequence<Element: Sendable>: AsyncSequence, Sendable {
    /// A sequence of notifications never fails.
    public typealias Failure = Never

    private let lifetime: SequenceLifetime<Element>

    /// Makes a sequence of what a subject hands on.
    ///
    /// - Parameters:
    ///   - policy: What becomes of elements that arrive faster than an iterator takes them.
    ///   - condition: Whether the sequence is to have an element, asked in the post; `nil` for every element.
    ///   - fileID: The file that makes the sequence.
    ///   - line: The line that makes the sequence.
    ///   - subject: What is observed. When it lets go of the closure that it is given, the sequence has ended.
    @export(implementation)
    package init(
        buffering policy: BufferingPolicy, where condition: (@Sendable (Element) -> Bool)? = nil,
        _ fileID: StaticString, _ line: UInt,
        subject: (ObserverRegistration, @escaping @Sendable (Element) -> Void) -> any ObserverHandle
    ) {
        let source = SequenceSource<Element>(buffering: policy, SourcePlace(fileID: fileID, line: line))
        let registration = ObserverRegistration(fileID: fileID, line: line, delivery: .sequence).with(queue: source)
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

    /// Makes an iterator, which is used by one task at a time.
    public func makeAsyncIterator() -> Iterator {
        Iterator(reader: SequenceReader(lifetime))
    }

    /// How many notifications the buffering policy has dropped, for all iterators together.
    public var droppedCount: Int { lifetime.source.status.dropped }

    /// Ends the sequence, for every iterator that has taken what there is for it.
    func finish() { lifetime.source.finish() }

    /// Ends the observation, and returns when no post puts anything into the sequence any more. It ends when its iterators have
    /// taken what there is for them.
    @usableFromInline func endObservation() async { await lifetime.endObservation() }

    /// The numbers by which monitors know the observers that feed it.
    @usableFromInline var numbers: [UInt64] { lifetime.numbers }

    /// How many notifications wait for the slowest iterator.
    @usableFromInline var waiting: Int { lifetime.source.status.queued }

    /// Takes one notification after the other out of a sequence. Copies share what there is for them.
    public struct Iterator: AsyncIteratorProtocol {
        @export(implementation) let reader: SequenceReader<Element>

        init(reader: SequenceReader<Element>) { self.reader = reader }

        /// Waits for the next notification.
        ///
        /// - Returns: The notification; `nil` when the sequence has ended or the task is cancelled.
        @export(implementation)
        public mutating func next() async -> Element? {
            await reader.next(isolation: #isolation)
        }

        /// Waits for the next notification.
        ///
        /// - Parameter actor: Where the caller runs.
        /// - Returns: The notification; `nil` when the sequence has ended or the task is cancelled.
        @export(implementation)
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            await reader.next(isolation: actor)
        }
    }
}

/// What the sequence and its iterators hold: when they are gone, the observation ends.
@usableFromInline
final class SequenceLifetime<Element: Sendable>: Sendable {
    let source: SequenceSource<Element>
    private let observation: any ObserverHandle

    @usableFromInline
    init(_ source: SequenceSource<Element>, observation: any ObserverHandle) {
        self.source = source
        self.observation = observation
    }

    deinit { observation.end(.tokenReleased) }

    /// The numbers by which monitors know the observers that feed the sequence.
    var numbers: [UInt64] { observation.knownNumbers }

    func endObservation() async {
        observation.cancel()
        await observation.drain()
    }
}
