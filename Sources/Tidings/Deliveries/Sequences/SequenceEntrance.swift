/// The way into a sequence, which only a center holds: when the center lets go of it, the sequence has ended.
@usableFromInline
final class SequenceEntrance<Element: Sendable>: Sendable {
    @usableFromInline let source: SequenceSource<Element>

    @inlinable
    init(_ source: SequenceSource<Element>) { self.source = source }

    @inlinable
    deinit { source.finish() }

    @inlinable
    func put(_ element: Element) { source.put(element) }
}
