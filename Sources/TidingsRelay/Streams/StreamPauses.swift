import TidingsWire

/// Which streams take nothing at the moment, as they are full or gone, and when each is tried again: a state machine.
///
/// A stream is tried with one message, its first: were more sent, the first might be refused and a later one stored, out of order.
struct StreamPauses: Sendable {
    /// Why a stream takes nothing.
    enum Reason: Hashable, Sendable {
        /// It has reached a limit, or the server has no storage left. That takes time: the pause doubles up to ten seconds.
        case full
        /// Nobody has it: it has not been loaded yet, chooses a new leader, or is gone. That is soon over, or somebody has to act.
        case absent
    }

    private struct Pause: Sendable {
        var reason: Reason
        var since: Duration
        /// The pauses while it is full.
        var backoff = Backoff(from: shortest, to: .seconds(10))
        var until: Duration
        /// Whether a message is on its way to see if the stream takes it.
        var isTried = false
    }

    private static let shortest = Duration.milliseconds(250)

    private var pauses: [String: Pause] = [:]

    var isEmpty: Bool { pauses.isEmpty }

    func isPaused(_ stream: String) -> Bool { pauses[stream] != nil }

    /// Whether a stream is paused, and nothing is on its way to try it.
    func isWaiting(_ stream: String) -> Bool { pauses[stream].map { !$0.isTried } ?? false }

    /// Notes that a stream has not taken a message.
    ///
    /// - Returns: Whether it took messages before, as far as is known.
    mutating func begin(_ stream: String, _ reason: Reason, at now: Duration) -> Bool {
        guard var pause = pauses[stream] else {
            var first = Pause(reason: reason, since: now, until: now)
            first.until += first.backoff.next()
            pauses[stream] = first
            return true
        }
        // Many were on their way when the first was refused. Only what was sent to try it says something new.
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

    /// Notes that a stream has taken a message, or refused it for its own sake.
    ///
    /// - Returns: Whether it was paused, and is not any more.
    mutating func end(_ stream: String) -> Bool {
        // What was on its way before the pause may be answered in it, and says nothing.
        guard pauses[stream]?.isTried == true else { return false }
        pauses[stream] = nil
        return true
    }

    /// Whether a stream is gone for as long as the patience lasts; if so, the patience begins anew.
    mutating func isMissing(_ stream: String, patience: Duration, at now: Duration) -> Bool {
        guard let pause = pauses[stream], pause.reason == .absent, now - pause.since >= patience else { return false }
        pauses[stream]?.since = now
        return true
    }

    /// The streams that are to be tried now.
    mutating func takeDue(at now: Duration) -> [String] {
        let due = pauses.filter { !$0.value.isTried && $0.value.until <= now }.keys.sorted()
        for stream in due { pauses[stream]?.isTried = true }
        return due
    }

    /// Takes out those that take nothing for longer than some time.
    mutating func takeExpired(after time: Duration, at now: Duration) -> [String] {
        let expired = pauses.filter { now - $0.value.since >= time }.keys.sorted()
        for name in expired { pauses[name] = nil }
        return expired
    }

    /// Has all streams tried anew, as the answers may be lost.
    mutating func retry() { for stream in pauses.keys { pauses[stream]?.isTried = false } }

    /// Forgets a stream for which nothing waits.
    mutating func forget(_ stream: String) { pauses[stream] = nil }

    /// Forgets all, on a new link.
    mutating func forgetAll() { pauses = [:] }
}
