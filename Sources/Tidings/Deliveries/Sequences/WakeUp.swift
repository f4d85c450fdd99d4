/// Where the consumer of a sequence sleeps while there is nothing for it.
@usableFromInline
final class WakeUp: Sendable {
    private enum State {
        case idle
        /// Somebody was to be woken up while nobody slept: the next one does not fall asleep.
        case raised
        case sleeping(CheckedContinuation<Void, Never>)
    }

    private let state = Lock(State.idle)

    @usableFromInline
    init() {}

    /// Wakes up the consumer.
    @usableFromInline
    func raise() {
        let continuation = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard case .sleeping(let continuation) = state else {
                state = .raised
                return nil
            }
            state = .idle
            return continuation
        }
        continuation?.resume()
    }

    /// Returns when there may be something to do, or when the task is cancelled.
    @usableFromInline
    func sleep() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isRaised = state.withLock { state in
                    switch state {
                    case .raised:
                        state = .idle
                        return true
                    case .idle:
                        state = .sleeping(continuation)
                        return false
                    case .sleeping:
                        preconditionFailure("an iterator is used by one task at a time")
                    }
                }
                if isRaised { continuation.resume() }
            }
        } onCancel: {
            raise()
        }
    }
}
