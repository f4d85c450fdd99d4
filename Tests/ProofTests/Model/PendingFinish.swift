import Tidings

/// A call of `finish` that runs concurrently with the program, and waits until all notifications have been handled.
final class PendingFinish: Sendable {
    private let left = Lock<Int?>(nil)
    private let task = Lock<Task<Void, Never>?>(nil)

    init(_ center: any TypedNotificationCenter) {
        let task = Task {
            let found = await center.finish(within: .seconds(3600)).count
            left.withLock { $0 = found }
        }
        self.task.withLock { $0 = task }
    }

    var isOver: Bool { left.withLock { $0 } != nil }

    /// Whether the finish has returned without unfinished observers.
    var hasFinished: Bool { left.withLock { $0 } == 0 }

    func cancel() { task.withLock { $0 }?.cancel() }
}

extension World {
    func finishCenter() async {
        let left = await center.finish(within: .zero).count
        events.append(.finished(left: left...left))
        finishes.append(PendingFinish(center))
    }

    /// Waits for all calls of `finish`. None may return an unfinished observer, because all notifications have been
    /// handled by now.
    func settleFinishes() async {
        await wait { self.finishes.allSatisfy(\.isOver) }
        if !finishes.allSatisfy(\.hasFinished) {
            events.append(.violated(observer: nil, "everything was handled, but the center has not finished"))
        }
    }
}
