import Dispatch

/// Calls a closure at regular intervals on its own thread until it is released.
///
/// It isn't a task, because observers that block the threads of tasks would delay it, and the server would redeliver
/// their messages to another program.
// Any thread may cancel a source, and nothing else uses it after its creation.
final class Heartbeat: @unchecked Sendable {
    private let timer: any DispatchSourceTimer

    /// - Parameters:
    ///   - interval: The time between two calls.
    ///   - beat: The closure. It must not run user code, which may take a long time.
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
