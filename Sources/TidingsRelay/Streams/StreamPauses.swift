import TidingsWire

/// The streams that accept no messages at the moment, because they are full or unavailable, and the times at which they
/// are retried: a state machine.
///
/// A stream is tried with a single message, its first. If more were sent, the first might be rejected and a later one
/// stored, out of order.
struct StreamPauses: Sendable {
    /// The reason why a stream accepts no messages.
    enum Reason: Hashable, Sendable {
        /// The stream has reached a limit, or the server has no storage left. This takes time, so the pause doubles up
        /// to ten seconds.
        case full
        /// No server has the stream: it hasn't been loaded yet, is electing a new leader, or was deleted. Either it is
        /// available again soon, or an administrator has to act.
        case absent
    }

    private struct Pause: Sendable {
        var reason: Reason
        var since: Duration
        /// The pauses while the stream is full.
        var backoff = Backoff(from: shortest, to: .seconds(10))
        var until: Duration
        /// Whether a message is in flight to test whether the stream accepts it.
        var isTried = false
    }

    private static let shortest = Duration.milliseconds(250)

    private var pauses: [String: Pause] = [:]

    var isEmpty: Bool { pauses.isEmpty }

    func isPaused(_ stream: String) -> Bool { pauses[stream] != nil }

    /// Whether a stream is paused and no message is in flight to test it.
    func isWaiting(_ stream: String) -> Bool { pauses[stream].map { !$0.isTried } ?? false }

    /// Records that a stream didn't accept a message.
    ///
    /// - Returns: Whether the stream accepted messages before, as far as is known, or rejects them for another reason
    ///   than before.
    mutating func begin(_ stream: String, _ reason: Reason, at now: Duration) -> Bool {
        guard var pause = pauses[stream] else {
            var first = Pause(reason: reason, since: now, until: now)
            first.until += first.backoff.next()
            pauses[stream] = first
            return true
        }
        // Many messages were in flight when the first was rejected. Only the answer to a test message is new.
        if !pause.isTried { return false }
        let isAnother = pause.reason != reason
        if isAnother { pause.since = now }
        pause.reason = reason
        if isAnother || reason == .absent { pause.backoff.reset() }
        pause.until = now + pause.backoff.next()
        pause.isTried = false
        pauses[stream] = pause
        return isAnother
    }

    /// Records that a stream accepted a message, or rejected it because of the message itself.
    ///
    /// - Returns: Whether this ended a pause.
    mutating func end(_ stream: String) -> Bool {
        // A message that was sent before the pause may be answered during it. That answer says nothing about the
        // stream's state now.
        guard pauses[stream]?.isTried == true else { return false }
        pauses[stream] = nil
        return true
    }

    /// Returns whether a stream has been unavailable for the whole patience. If so, the patience starts again.
    mutating func isMissing(_ stream: String, patience: Duration, at now: Duration) -> Bool {
        guard let pause = pauses[stream], pause.reason == .absent, now - pause.since >= patience else { return false }
        pauses[stream]?.since = now
        return true
    }

    /// Returns the streams to test now.
    mutating func takeDue(at now: Duration) -> [String] {
        let due = pauses.filter { !$0.value.isTried && $0.value.until <= now }.keys.sorted()
        for stream in due { pauses[stream]?.isTried = true }
        return due
    }

    /// Removes and returns the streams that have accepted no messages for longer than the given time.
    mutating func takeExpired(after time: Duration, at now: Duration) -> [String] {
        let expired = pauses.filter { now - $0.value.since >= time }.keys.sorted()
        for name in expired { pauses[name] = nil }
        return expired
    }

    /// Makes all streams due for a new test, because the answers may be lost.
    mutating func retry() { for stream in pauses.keys { pauses[stream]?.isTried = false } }

    /// Forgets a stream that no message waits for.
    mutating func forget(_ stream: String) { pauses[stream] = nil }

    /// Forgets all streams, for a new link.
    mutating func forgetAll() { pauses = [:] }
}
