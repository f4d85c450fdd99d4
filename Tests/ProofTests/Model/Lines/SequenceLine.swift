import Tidings

/// An observer as an async sequence, from which the test reads in `run`.
final class SequenceLine<N: Sendable>: Line, @unchecked Sendable {  // operations run one after the other
    private var notes: NotificationSequence<N>?
    private var iterator: NotificationSequence<N>.Iterator?
    private var call: (@Sendable (Int) -> Void)?
    private let post: @Sendable (N) -> Int

    init(
        _ notes: NotificationSequence<N>, post: @escaping @Sendable (N) -> Int, call: @escaping @Sendable (Int) -> Void
    ) {
        self.notes = notes
        self.post = post
        self.call = call
        iterator = notes.makeAsyncIterator()
    }

    func run(_ count: Int, in world: World) async {
        for _ in 0..<count {
            guard let call, let note = await next(in: world) else { return }
            call(post(note))
            withExtendedLifetime(note) {}
        }
    }

    private func next(in world: World) async -> N? {
        let isOver = AtomicByte(false)
        let reading = Task { [self] in
            let note = await iterator?.next()
            isOver.store(true, ordering: .releasing)
            return note
        }
        await world.wait { isOver.load(ordering: .acquiring) }
        reading.cancel()
        return await reading.value
    }

    /// Requests another notification, which marks the previous one as handled. The sequence of a finished center must
    /// end.
    func settle(_ number: Int, in world: World, beside model: ReferenceModel) async {
        guard let observer = model.observers[number], observer.isFinishing || observer.isRefused else { return }
        if await next(in: world) != nil {
            world.events.append(.violated(observer: number, "the sequence continues after the center has finished"))
        }
    }

    func letGo() {
        notes = nil
        iterator = nil
        call = nil
    }

    func end() { letGo() }

    func droppedCount(_ token: NotificationToken?) -> Int? { notes?.droppedCount }
}
