import Dispatch

/// Calls a closure at regular intervals on its own thread, until it is released.
///
/// It isn't a task: observers that block the cooperative pool would delay it, and the server would redeliver their
/// messages to another program.
// Any thread may cancel a source, and nothing else uses it after its creation.
final class Heartbeat: @unchecked Sendable {
    private let timer: any DispatchSourceTimer

    /// - Parameters:
    ///   - interval: The time between two calls.
    ///   - beat: The closure, which must not run user code, because that may take long.
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

/// Whether a program has continuously reported to the server that it is handling its messages: part of a state machine.
///
/// A process that is suspended, or whose machine sleeps, reports nothing and doesn't notice. Meanwhile, the server may
/// have redelivered its messages to other programs. Messages that arrive when it continues may have waited in the
/// connection for just as long.
struct Presence: Sendable {
    /// The time for which the server waits for a report, or `nil` if it doesn't redeliver to other programs.
    private let patience: Duration?
    private var lastSign = Duration.zero

    init(patience: Duration?) { self.patience = patience }

    /// Whether the server's time limit has passed since the last report.
    func isLost(at now: Duration) -> Bool { patience.map { lastSign + $0 < now } ?? false }

    /// Records a report, or a new connection, which contains no old messages.
    mutating func note(at now: Duration) { lastSign = now }
}
