/// Sinks at many places of a page, with which samples take turns.
///
/// A processor takes a load for one of a recent store if both lie at the same place of a page, and then waits. With one sink, a
/// contender would be slow in every sample if what it reads for a call happens to lie where its sink does.
@MainActor
final class Sinks {
    private let sinks: [Sink]
    private var turn = 0

    init() {
        let page = 4096
        // Fresh memory, cut into sinks that do not overlap, and never freed.
        let memory = UnsafeMutableRawPointer.allocate(byteCount: page, alignment: page)
        sinks = stride(from: 0, to: page, by: Sink.size).map { unsafe Sink(memory + $0) }
    }

    /// The next sink. Whoever takes it leaves it at zero.
    func next() -> Sink {
        turn += 1
        return sinks[turn % sinks.count]
    }
}
