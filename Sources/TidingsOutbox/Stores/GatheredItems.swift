/// Collects items for a task. Items that arrive while the task is busy are handled together afterwards.
final class GatheredItems<Item: Sendable>: Sendable {
    private let state = Lock((items: [Item](), isRunning: false))

    var isRunning: Bool { state.withLock { $0.isRunning } }

    func add(_ item: Item, handling handle: @escaping @Sendable ([Item]) async -> Void) {
        let starts = state.withLock { state in
            state.items.append(item)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if starts { Task.detached { await self.run(handle) } }
    }

    private func run(_ handle: @Sendable ([Item]) async -> Void) async {
        while true {
            let items = state.withLock { state in
                defer { state.items = [] }
                state.isRunning = !state.items.isEmpty
                return state.items
            }
            if items.isEmpty { return }
            await handle(items)
        }
    }
}
