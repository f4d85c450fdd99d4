import Synchronization
import Tidings

final class Source: Sendable {}

struct Ping: TypedNotification {
    let sender: Source
}

final class World: Sendable {
    /// A center without monitors. Monitors are only attached to `watched`.
    let plain = NativeNotificationCenter()
    let watched = NativeNotificationCenter()
    let sources = (0..<8).map { _ in Source() }
    let referee: Referee

    let captured = Counter()

    /// `posts` counts posts, and `calls` counts calls of observers. `said` is the sum of the counts that posts
    /// returned.
    let posts = Counter()
    let said = Counter()
    let calls = Counter()
    let steadyCalls = Counter()

    /// The number of deallocated owners. A post that finds an observer's owner deallocated still counts the observer
    /// once.
    let deadOwners = Counter()

    static let steadyCount = 3
    private let steady = Mutex<[NotificationToken]>([])

    init(_ referee: Referee) {
        self.referee = referee
        for center in [plain, watched] {
            for _ in 0..<World.steadyCount {
                let token = center.addObserver(for: Ping.self) { [calls, steadyCalls] _ in
                    calls.add()
                    steadyCalls.add()
                }
                steady.withLock { $0.append(token) }
            }
        }
    }

    func center(_ random: inout RandomNumbers) -> NativeNotificationCenter { random.below(2) == 0 ? plain : watched }

    func post(from source: Source, in center: NativeNotificationCenter) {
        posts.add()
        said.add(center.post(Ping(sender: source)))
    }

    /// Checks the totals. Call this when all activities have ended.
    func judge() {
        let foundDead = said.value - calls.value
        referee.expect(
            foundDead >= 0 && foundDead <= deadOwners.value,
            "posts counted \(said.value) calls, \(calls.value) were made, and \(deadOwners.value) owners were deallocated"
        )
        referee.expect(
            steadyCalls.value == World.steadyCount * posts.value,
            "\(posts.value) posts called the \(World.steadyCount) steady observers \(steadyCalls.value) times")
        referee.expect(captured.value == 0, "\(captured.value) objects that ended observers captured are alive")
        for center in [plain, watched] {
            // The first post removes the observers whose owners were deallocated.
            center.post(Ping(sender: Source()))
            let found = center.post(Ping(sender: Source()))
            referee.expect(found == World.steadyCount, "\(found) observers are left instead of \(World.steadyCount)")
        }
    }
}

struct Posting: Activity {
    let name = "post"
    let world: World

    func step(in slot: Int, _ random: inout RandomNumbers) {
        let center = world.center(&random)
        world.post(from: world.sources[random.below(world.sources.count)], in: center)
    }
}

/// Adds observers of a sender from which no other thread posts, so that the number of calls is known. An observer ends
/// when its token is cancelled or its owner is deallocated.
struct Churn: Activity {
    let name = "add, post, cancel"
    let world: World

    func step(in slot: Int, _ random: inout RandomNumbers) {
        let center = world.center(&random)
        let source = Source()
        let own = Counter()
        let capture = Captured(world.captured)
        let isOwned = random.below(2) == 0
        var owner: Source? = isOwned ? Source() : nil
        var token: NotificationToken?
        if let owner {
            center.addObserver(owner, for: Ping.self, sender: source) { [calls = world.calls] _, _ in
                own.add()
                calls.add()
                withExtendedLifetime(capture) {}
            }
        } else {
            token = center.addObserver(for: Ping.self, sender: source) { [calls = world.calls] _ in
                own.add()
                calls.add()
                withExtendedLifetime(capture) {}
            }
        }
        world.post(from: source, in: center)
        world.referee.expect(own.value == 1, "one post called an observer of its sender \(own.value) times")
        if isOwned { world.deadOwners.add() }
        weak let reference = owner
        owner = nil
        token?.cancel()
        // Another thread may retain the owner for a moment while it checks whether the owner is alive.
        let isOver = !isOwned || reference == nil
        world.post(from: source, in: center)
        world.referee.expect(
            own.value == 1 || !isOver,
            "an observer was called after \(isOwned ? "its owner was deallocated" : "it was cancelled")")
    }
}

/// Adds observers on one thread and ends them on another.
final class Exchange: Activity {
    let name = "cancel elsewhere"
    private let world: World
    private let board = (0..<32).map { _ in Slot() }

    private final class Slot: Sendable {
        let token = Mutex<NotificationToken?>(nil)
    }

    init(_ world: World) { self.world = world }

    func step(in slot: Int, _ random: inout RandomNumbers) {
        let capture = Captured(world.captured)
        let sender = random.below(2) == 0 ? nil : world.sources[random.below(world.sources.count)]
        put(
            world.center(&random).addObserver(for: Ping.self, sender: sender) { [calls = world.calls] _ in
                calls.add()
                withExtendedLifetime(capture) {}
            }, in: random.below(board.count))
    }

    func clear() {
        for number in board.indices { put(nil, in: number) }
    }

    private func put(_ token: NotificationToken?, in number: Int) {
        let previous = board[number].token.withLock { slot in
            let previous = slot
            slot = token
            return previous
        }
        // The token is cancelled outside the lock.
        previous?.cancel()
    }
}

struct Watching: Activity {
    let name = "monitor"
    let world: World

    private static let most = 2

    private struct Marked: TypedNotification {}

    private final class Monitor: NotificationMonitor {
        let marks = Counter()

        func receive(_ event: NotificationEvent) {
            if case .posted(let post) = event, post.subject.type == Marked.self { marks.add() }
        }
    }

    func step(in slot: Int, _ random: inout RandomNumbers) {
        // At most two monitors are attached at the same time, and usually none, because a monitor receives every event,
        // which slows down all posts.
        if slot >= Watching.most || random.below(4) != 0 { return }
        let monitor = Monitor()
        let attachment = world.watched.attach(monitor)
        let token = world.watched.addObserver(for: Marked.self) { _ in }
        let count = 1 + random.below(5)
        for _ in 0..<count { world.watched.post(Marked()) }
        world.referee.expect(
            monitor.marks.value >= count, "a monitor received \(monitor.marks.value) of at least \(count) posts")
        token.cancel()
        withExtendedLifetime(attachment) {}
    }
}
