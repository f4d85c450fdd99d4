import Tidings

final class BegunDrains: Sendable {
    private let all = Lock<[Task<Void, Never>]>([])

    func begin(_ drain: @escaping @Sendable () async -> Void) {
        let task = Task { await drain() }
        all.withLock { $0.append(task) }
    }

    func finish() async { for task in all.withLock({ $0 }) { await task.value } }
}
