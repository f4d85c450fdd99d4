import Dispatch

/// Calls a closure regularly on a dispatch queue, because observers that block the cooperative pool would delay a task.
// `DispatchSourceTimer` isn't Sendable, but any thread may cancel a timer, and `init` is its only other use.
final class Heartbeat: @unchecked Sendable {
    private let timer: any DispatchSourceTimer

    /// `beat` must not run user code, which may take a long time.
    init(every interval: Duration, beat: @escaping @Sendable () -> Void) {
        let source = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "tidings.relay heartbeat"))
        let step = DispatchTimeInterval.nanoseconds(Int(clamping: interval.nanoseconds))
        source.schedule(deadline: .now() + step, repeating: step)
        source.setEventHandler(handler: beat)
        source.resume()
        timer = source
    }

    deinit { timer.cancel() }
}

/// Detects missing heartbeats, which mean that the process was suspended or its machine slept. The server may then have
/// redelivered messages to other programs, so messages that wait in the connection must not be handled.
struct Presence: Sendable {
    /// The time without a heartbeat after which the server redelivers, or `nil` if the consumer isn't shared.
    private let patience: Duration?
    private var lastSign = Duration.zero

    init(patience: Duration?) { self.patience = patience }

    func isLost(at now: Duration) -> Bool { patience.map { lastSign + $0 < now } ?? false }

    mutating func note(at now: Duration) { lastSign = now }
}
