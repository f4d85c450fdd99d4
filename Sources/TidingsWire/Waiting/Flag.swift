/// A flag for which tasks can wait. A task that waits for work must clear the flag, then check for work, and then wait.
/// Otherwise, work that arrives in between doesn't resume the task.
package final class Flag: Sendable {
    private struct State {
        var isSet = false
        var lastNumber = 0
        /// The waits that have started. A continuation is `nil` until its task is suspended.
        var waits: [Int: CheckedContinuation<Void, Never>?] = [:]
    }

    private let state = Lock(State())

    package init() {}

    package var isSet: Bool { state.withLock { $0.isSet } }

    package func clear() { state.withLock { $0.isSet = false } }

    @discardableResult
    package func set() -> Bool {
        let (wasSet, waits) = state.withLock { state in
            defer { (state.isSet, state.waits) = (true, [:]) }
            return (state.isSet, state.waits)
        }
        for case let continuation? in waits.values { continuation.resume() }
        return !wasSet
    }

    /// Waits for the flag, the limit or a cancellation. Returns whether the flag is set.
    @discardableResult
    package func wait(within limit: Duration? = nil, _ clock: ElapsedClock = .continuous) async -> Bool {
        let number = state.withLock { state in
            if state.isSet { return nil as Int? }
            state.lastNumber += 1
            state.waits[state.lastNumber] = .some(nil)
            return state.lastNumber
        }
        guard let number else { return true }
        let timer = limit.map { clock.limit($0) { self.end(number) } }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let hasEnded = state.withLock { state in
                    if state.waits[number] == nil { return true }
                    state.waits[number] = continuation
                    return false
                }
                if hasEnded { continuation.resume() }
            }
        } onCancel: {
            end(number)
        }
        timer?.end()
        return isSet
    }

    private func end(_ number: Int) { state.withLock { $0.waits.removeValue(forKey: number) }??.resume() }
}
