import Dispatch

/// Does something at regular times, on a thread of its own, until it is released.
///
/// Not a task: observers that block their threads would hold it up, and the server would give what they work on to somebody else.
// Any thread may cancel a source, and nothing else is done with it once it is made.
final class Heartbeat: @unchecked Sendable {
    private let timer: any DispatchSourceTimer

    /// - Parameters:
    ///   - interval: The time from one to the next.
    ///   - beat: What to do. It must not run code of users, which may take its time.
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
