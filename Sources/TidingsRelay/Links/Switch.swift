import Tidings

/// Something that is on or off, and can be waited for.
package final class Switch: Sendable {
    private struct State {
        var isOn = false
        var lastNumber = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Lock(State())

    package init() {}

    package var isOn: Bool { state.withLock { $0.isOn } }

    package func turnOff() { state.withLock { $0.isOn = false } }

    /// - Returns: Whether it was off.
    @discardableResult
    package func turnOn() -> Bool {
        let (wasOn, waiting) = state.withLock { state in
            defer {
                state.isOn = true
                state.waiting = [:]
            }
            return (state.isOn, state.waiting.values.map { $0 })
        }
        for continuation in waiting { continuation.resume() }
        return !wasOn
    }

    /// Returns when it is on, or when the task is cancelled.
    package func wait() async {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let goesOn = state.withLock { state in
                    if state.isOn || Task.isCancelled { return true }
                    state.waiting[number] = continuation
                    return false
                }
                if goesOn { continuation.resume() }
            }
        } onCancel: {
            // Cancelled before it waits, the task sees that itself, above.
            state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
        }
    }
}
