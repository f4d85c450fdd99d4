import Tidings

/// The clocks of an outbox: one that never jumps, by which it waits, and the one on the wall, by which times are stored.
struct OutboxClock: Sendable {
    /// Milliseconds since the outbox was made.
    let now: @Sendable () -> Int64
    /// Milliseconds since 1970.
    let wall: @Sendable () -> Int64
    let sleep: @Sendable (Int64) async -> Void

    init<C: Clock>(_ clock: C, wall: (@Sendable () -> Int64)?) where C.Duration == Duration {
        let beginning = clock.now
        let now: @Sendable () -> Int64 = { beginning.duration(to: clock.now).milliseconds }
        self.now = now
        let start = wallMilliseconds()
        if let wall {
            self.wall = wall
        } else if C.self == ContinuousClock.self {
            self.wall = wallMilliseconds
        } else {
            // A clock of a test's has a wall that moves with it.
            self.wall = { start + now() }
        }
        sleep = { milliseconds in try? await clock.sleep(for: .milliseconds(milliseconds)) }
    }
}

/// Wakes up a task. A signal that comes while nobody waits is kept for the next wait.
final class Signal: Sendable {
    private struct State {
        var isOn = false
        var waiting: CheckedContinuation<Void, Never>?
        var number = 0
    }

    private let state = Lock(State())

    func turnOn() {
        let waiting = state.withLock { state in
            if state.waiting == nil { state.isOn = true }
            return state.waiting.take()
        }
        waiting?.resume()
    }

    /// Returns at a signal, or after a time in milliseconds.
    func wait(atMost limit: Int64, _ clock: OutboxClock) async {
        if limit <= 0 { return state.withLock { $0.isOn = false } }
        let number: Int? = state.withLock { state in
            defer { state.isOn = false }
            state.number += 1
            return state.isOn ? nil : state.number
        }
        guard let number else { return }
        let timer = Task.detached {
            await clock.sleep(limit)
            self.end(number)
        }
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                defer { state.isOn = false }
                // The time may be over before the wait has begun.
                if state.isOn || state.number != number { return true }
                state.waiting = continuation
                return false
            }
            if isOver { continuation.resume() }
        }
        timer.cancel()
    }

    /// Ends the wait with a number, if it has not ended.
    private func end(_ number: Int) {
        let waiting: CheckedContinuation<Void, Never>? = state.withLock { state in
            guard state.number == number else { return nil }
            state.number += 1
            return state.waiting.take()
        }
        waiting?.resume()
    }
}
