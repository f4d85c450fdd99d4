import Synchronization
import Tidings
import TidingsInspector

/// The processor time of posts that cause each other, and of as many that don't, with and without an inspector that
/// follows them.
extension Workload {
    static let postsInACycle = Workload(
        name: "posts in a cycle: processor time", parameterName: "observers", unit: .nanoseconds(per: "post"),
        statistic: .least, count: 20_000
    ) {
        Cycle.allCases.map { $0.contender() }
    }
}

private final class PostsLeft: Sendable {
    private let count = Atomic<Int>(0)

    func begin(_ count: Int) { self.count.store(count, ordering: .relaxed) }

    func takeOne() -> Bool { count.wrappingSubtract(1, ordering: .relaxed).newValue > 0 }
}

/// Posts to two observers that run in tasks.
enum Cycle: CaseIterable {
    /// A task makes all posts, without or with an inspector that follows them.
    case open, openFollowed
    /// The observers post each other's type, without or with an inspector that follows them.
    case closed, closedFollowed

    var subject: Subject {
        switch self {
        case .open: .tidings.with("no cycle")
        case .openFollowed: .tidings.with("no cycle, followed")
        case .closed: .tidings.with("cycle")
        case .closedFollowed: .tidings.with("cycle, followed")
        }
    }

    private var isClosed: Bool { self == .closed || self == .closedFollowed }
    private var isFollowed: Bool { self == .openFollowed || self == .closedFollowed }

    @MainActor
    func contender() -> Contender {
        let (center, sink, tally, left) = (NativeNotificationCenter(), Sink(), Tally(), PostsLeft())
        let inspector = isFollowed ? Inspector(of: center) : nil
        // In a cycle, the observers are called one after the other, and never at the same time.
        let ping = center.addObserver(on: .task, for: Ping.self) { [isClosed, weak center] _ in
            // The post is taken before the tally counts, because the last count begins the next burst.
            let isPosting = isClosed && left.takeOne()
            tally.add()
            if isPosting { center?.post(Pong(sink: sink)) }
        }
        let pong = center.addObserver(on: .task, for: Pong.self) { [weak center] _ in
            let isPosting = left.takeOne()
            tally.add()
            if isPosting { center?.post(Ping(sink: sink)) }
        }
        return .burst(subject, to: [tally], keeping: (ping, pong, inspector), .processorTime) { [isClosed] count in
            inspector?.measure(.follow)
            let viewer = inspector.map { inspector in
                Task.detached { for await _ in inspector.snapshots(every: .milliseconds(500)) {} }
            }
            left.begin(count)
            center.post(Ping(sink: sink))
            if !isClosed { for _ in 1..<count { center.post(Ping(sink: sink)) } }
            await tally.wait()
            viewer?.cancel()
            inspector?.measure(.look)
        }
    }
}

extension Bar {
    /// A followed cycle is bounded. A post in it costs at most twice as much as another followed post.
    static let cycles: [Bar] = [
        Bar(
            "posts in a cycle: processor time", 1, Cycle.closedFollowed.subject, .atMost(2),
            Cycle.openFollowed.subject)
    ]
}
