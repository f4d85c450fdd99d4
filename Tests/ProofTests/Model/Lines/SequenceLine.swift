import Synchronization
import Tidings

/// A sequence that is read when it is run.
final class SequenceLine<N: Sendable>: Line, @unchecked Sendable {  // one operation after the other
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
        let isOver = Atomic(false)
        let reading = Task { [self] in
            let note = await iterator?.next()
            isOver.store(true, ordering: .releasing)
            return note
        }
        await world.wait { isOver.load(ordering: .acquiring) }
        reading.cancel()
        return await reading.value
    }

    func letGo() {
        notes = nil
        iterator = nil
        call = nil
    }

    func end() { letGo() }

    func droppedCount(_ token: NotificationToken?) -> Int? { notes?.droppedCount }
}
