import CMachine
import Synchronization
import Tidings
import TidingsInspector

/// Compares a chain of posts, in which each post causes the next, with posts that have no known cause.
///
/// Two observers run in tasks, and each posts the type that the other observes. Each call of an observer starts a task,
/// and this task makes the next post. In the workload with a cycle, the task inherits the call's task-local values, so
/// the call is recorded as the cause of the post. Without a cycle, the task is detached. The inspector follows 8 % of
/// the posts without a cause, and 6 % of the posts in the cycle.
extension Workload {
    static let postsInACycle = Workload(
        name: "posts in a cycle: processor time", parameterName: "observers", unit: .nanoseconds(per: "post"),
        statistic: .least, count: 40_000
    ) {
        Cycle.allCases.map { $0.contender() }
    }
}

private final class PostsLeft: Sendable {
    private let count = Atomic<Int>(0)

    func begin(_ count: Int) { self.count.store(count, ordering: .relaxed) }

    /// Returns whether the observer has to post the next notification.
    func takeOne() -> Bool { count.wrappingSubtract(1, ordering: .relaxed).newValue > 0 }
}

enum Cycle: CaseIterable {
    /// The posts have no known cause. In `openFollowed`, an inspector follows them.
    case open, openFollowed
    /// Each post causes the next. In `closedFollowed`, an inspector follows them.
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

    private func post<Note: TypedNotification & Sendable>(_ note: Note, to center: NativeNotificationCenter?) {
        // Both tasks begin on this thread. The detached task inherits nothing from the call.
        if isClosed {
            Task.immediate { _ = center?.post(note) }
        } else {
            Task.immediateDetached { _ = center?.post(note) }
        }
    }

    @MainActor
    func contender() -> Contender {
        let (center, sink, tally, left) = (NativeNotificationCenter(), Sink(), Tally(), PostsLeft())
        let inspector = isFollowed ? Inspector(of: center) : nil
        let ping = center.addObserver(on: .task, for: Ping.self) { [weak center] _ in
            // `left` changes before `tally`, because the last count of `tally` starts the next burst, which sets
            // `left`.
            let isPosting = left.takeOne()
            tally.add()
            if isPosting { post(Pong(sink: sink), to: center) }
        }
        let pong = center.addObserver(on: .task, for: Pong.self) { [weak center] _ in
            let isPosting = left.takeOne()
            tally.add()
            if isPosting { post(Ping(sink: sink), to: center) }
        }
        func send(_ count: Int) async {
            tally.expect(count)
            left.begin(count)
            center.post(Ping(sink: sink))
            await tally.wait()
        }
        var sent = 0
        return Contender(subject: subject, parameter: 1) { [isFollowed] count in
            inspector?.measure(.follow)
            let viewer = inspector.map { inspector in
                Task.detached { for await _ in inspector.snapshots(every: .milliseconds(500)) {} }
            }
            // These posts come before the sample, because the inspector follows a larger part of the posts until it has
            // measured their rate.
            let before = isFollowed ? 2 * count : 0
            if before > 0 { await send(before) }
            let began = machine_process_nanoseconds()
            var sample = await Sample.acrossThreads { await send(count) }
            sample.value = Double(machine_process_nanoseconds() - began)
            sent += before + count
            viewer?.cancel()
            inspector?.measure(.look)
            return withExtendedLifetime((ping, pong)) { sample }
        } finish: {
            try Miscount.check(subject, tally.count, sent)
        }
    }
}

extension Bar {
    /// Following a cycle has a bounded cost: a followed post in the cycle costs at most twice as much as a followed
    /// post without a cause.
    static let cycles: [Bar] = [
        Bar(
            "posts in a cycle: processor time", 1, Cycle.closedFollowed.subject, .atMost(2),
            Cycle.openFollowed.subject)
    ]
}
