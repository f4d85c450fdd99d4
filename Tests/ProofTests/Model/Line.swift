import Synchronization
import TestSupport
import Tidings

/// An asynchronous observer in a world, and how it is made to run.
protocol Line: AnyObject, Sendable {
    /// Has so many calls made, of those that are queued.
    func run(_ calls: Int, in world: World) async

    /// Notes that the observer was cancelled.
    func noteEnd()
    /// Notes that the observer was cancelled and drained.
    func noteDrain()
    /// Lets go of what holds the observer beside its token, which was let go.
    func letGo()
    /// Lets go of the observer's actor.
    func letGoOfActor(in world: World) async
    /// Lets go of everything.
    func end()

    /// How many notifications were dropped, if there is somebody who knows.
    func droppedCount(_ token: NotificationToken?) -> Int?
    /// What was seen that must not be.
    func violation(of expected: [Int]) -> String?
    /// Waits for everything that the observer is to see.
    func settle(_ number: Int, in world: World, beside model: ReferenceModel) async
    /// Runs what is left to be run.
    func runPending()
}

extension Line {
    func run(_ calls: Int, in world: World) async {}
    func noteEnd() {}
    func noteDrain() {}
    func letGo() {}
    func letGoOfActor(in world: World) async {}
    func end() {}
    func droppedCount(_ token: NotificationToken?) -> Int? { token?.droppedCount }
    func violation(of expected: [Int]) -> String? { nil }
    func settle(_ number: Int, in world: World, beside model: ReferenceModel) async {}
    func runPending() {}
}

/// An observer inside an actor that stands still until it is run.
final class ActorLine: Line {
    private let actor = Lock<StoppedActor?>(StoppedActor())
    private let executor: ManualExecutor
    private let calls = Atomic(0)

    init() { executor = actor.withLock { $0 }?.executor ?? ManualExecutor() }

    func withActor(_ body: (StoppedActor) -> NotificationToken) -> NotificationToken? {
        actor.withLock { $0 }.map(body)
    }

    func noteCall() { calls.add(1, ordering: .relaxed) }

    func run(_ count: Int, in world: World) async {
        let goal = calls.load(ordering: .relaxed) + count
        await world.wait {
            executor.runPending()
            return calls.load(ordering: .relaxed) >= goal
        }
    }

    func letGoOfActor(in world: World) async {
        weak let released = actor.withLock { $0.take() }
        await world.wait {
            executor.runPending()
            return released == nil
        }
    }

    func runPending() { executor.runPending() }
}

/// An observer in a task, each of whose calls stands still until it is run.
final class TaskLine: Line {
    private struct State {
        var continuation: CheckedContinuation<Void, Never>?
        var calls = 0
        var isOver = false
    }

    private let state = Lock(State())

    /// Whether a call has begun, and stands still.
    var standsStill: Bool { state.withLock { $0.continuation != nil } }
    private var calls: Int { state.withLock { $0.calls } }

    /// Returns when the call is to go on.
    ///
    /// - Returns: False if everything is over.
    func standStill() async -> Bool {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.isOver { state.continuation = continuation }
                return state.isOver
            }
            if isOver { continuation.resume() }
        }
        return !state.withLock { $0.isOver }
    }

    func noteCall() { state.withLock { $0.calls += 1 } }

    func run(_ count: Int, in world: World) async {
        for _ in 0..<count {
            await world.wait { standsStill }
            let before = calls
            state.withLock { $0.continuation.take() }?.resume()
            await world.wait { calls > before }
        }
    }

    func end() {
        let continuation = state.withLock { state in
            state.isOver = true
            return state.continuation.take()
        }
        continuation?.resume()
    }
}

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

/// An observer that is called at times of its own.
final class FreeLine: Line {
    private struct State {
        var posts: [Int] = []
        var isBusy = false
        var hasOverlapped = false
        /// How many calls there can be, as it has ended.
        var limit = Int.max
        var checked = 0
    }

    let actor = Holder()
    private let isOwned: Bool
    private let state = Lock(State())

    actor Holder {}

    init(isOwned: Bool) { self.isOwned = isOwned }

    func begin(_ post: Int) {
        state.withLock { state in
            if state.isBusy { state.hasOverlapped = true }
            state.isBusy = true
            state.posts.append(post)
        }
    }

    func finishCall() { state.withLock { $0.isBusy = false } }

    // One call may have begun, and not yet be seen here.
    func noteEnd() { state.withLock { $0.limit = min($0.limit, $0.posts.count + 1) } }

    func noteDrain() { state.withLock { $0.limit = min($0.limit, $0.posts.count) } }

    func letGo() { if !isOwned { noteEnd() } }

    func violation(of expected: [Int]) -> String? {
        state.withLock { state in
            if state.hasOverlapped { return "two calls at a time" }
            if state.posts.count > state.limit { return "called after it was cancelled" }
            if state.posts.count > expected.count { return "called with more than was posted" }
            let new = state.checked..<state.posts.count
            if state.posts[new] != expected[new] {
                return "called with \(state.posts[new]) instead of \(expected[new])"
            }
            state.checked = state.posts.count
            return nil
        }
    }

    func settle(_ number: Int, in world: World, beside model: ReferenceModel) async {
        guard let observer = model.observers[number], observer.isLive else { return }
        await world.wait { state.withLock { $0.posts.count == observer.expected.count && !$0.isBusy } }
        if state.withLock({ $0.posts.count }) != observer.expected.count {
            world.events.append(.violated(observer: number, "not called with all that was posted"))
        }
        if let violation = violation(of: observer.expected) {
            world.events.append(.violated(observer: number, violation))
        }
    }
}
