import Dispatch

/// Calls a closure at regular intervals on its own thread, until it is released.
///
/// Observers that block the cooperative pool would delay a task, and the server would redeliver messages.
// `DispatchSourceTimer` isn't Sendable, but any thread may cancel one, and it isn't used otherwise after its creation.
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

/// Whether a program has continuously reported that it is handling its messages. A part of ``PullReader``.
///
/// A process that is suspended, or whose machine sleeps, reports nothing. Meanwhile, the server may redeliver its
/// messages to other programs, so messages that have waited in the connection can be out of date.
struct Presence: Sendable {
    /// The time for which the server waits for a report, or `nil` if it doesn't redeliver to other programs.
    private let patience: Duration?
    private var lastSign = Duration.zero

    init(patience: Duration?) { self.patience = patience }

    /// Whether the server's time limit has passed since the last report.
    func isLost(at now: Duration) -> Bool { patience.map { lastSign + $0 < now } ?? false }

    /// Records a report, or a new connection. A new connection contains no old messages.
    mutating func note(at now: Duration) { lastSign = now }
}
