/// The streams, or subjects, to which sending is paused. A paused stream is tested with one message, because it might
/// reject the first of several messages and store a later one.
struct StreamPauses: Sendable {
    enum Reason: Hashable, Sendable {
        /// The stream has reached a limit, or the server has no storage left. The pauses grow up to ten seconds.
        case full
        /// No server has the stream, because the stream hasn't been loaded, is electing a new leader, or was deleted.
        case absent
    }

    private struct Pause: Sendable {
        var reason: Reason
        var since: Duration
        var backoff = Backoff(from: shortest, to: .seconds(10))
        var until: Duration
        /// Whether a message is in flight to test the stream.
        var isTried = false
    }

    private static let shortest = Duration.milliseconds(250)

    private var pauses: [String: Pause] = [:]

    var isEmpty: Bool { pauses.isEmpty }

    func isPaused(_ stream: String) -> Bool { pauses[stream] != nil }

    func isWaiting(_ stream: String) -> Bool { pauses[stream].map { !$0.isTried } ?? false }

    /// Returns true for a new pause or a new reason.
    mutating func begin(_ stream: String, _ reason: Reason, at now: Duration) -> Bool {
        guard var pause = pauses[stream] else {
            var first = Pause(reason: reason, since: now, until: now)
            first.until += first.backoff.next()
            pauses[stream] = first
            return true
        }
        // The stream rejected one of many messages in flight. Only the response to a test message shows a new state.
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

    /// Call this when a stream stored a message, or rejected it because of its content. Returns whether a pause ended.
    mutating func end(_ stream: String) -> Bool {
        // A response to a message that was sent before the pause doesn't show the current state of the stream.
        guard pauses[stream]?.isTried == true else { return false }
        pauses[stream] = nil
        return true
    }

    /// Whether a stream has been unavailable for `patience`. If so, the time starts again.
    mutating func isMissing(_ stream: String, patience: Duration, at now: Duration) -> Bool {
        guard let pause = pauses[stream], pause.reason == .absent, now - pause.since >= patience else { return false }
        pauses[stream]?.since = now
        return true
    }

    mutating func takeDue(at now: Duration) -> [String] {
        let due = pauses.filter { !$0.value.isTried && $0.value.until <= now }.keys.sorted()
        for stream in due { pauses[stream]?.isTried = true }
        return due
    }

    mutating func takeExpired(after time: Duration, at now: Duration) -> [String] {
        let expired = pauses.filter { now - $0.value.since >= time }.keys.sorted()
        for name in expired { pauses[name] = nil }
        return expired
    }

    /// Allows a new test of each stream, because the response to the last test may be lost.
    mutating func retry() { for stream in pauses.keys { pauses[stream]?.isTried = false } }

    mutating func forget(_ stream: String) { pauses[stream] = nil }

    mutating func forgetAll() { pauses = [:] }
}
