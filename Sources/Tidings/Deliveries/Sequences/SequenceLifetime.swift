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

    deinit { observation.cancel() }
}
