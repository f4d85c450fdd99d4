extension ObserverGroup {
    /// Something of a group that had not finished when the time was over: what it is, and what it was doing.
    public struct Unfinished: Hashable, Sendable, CustomStringConvertible {
        /// The line of source that registered it, or added it to the group.
        @export(implementation) public let place: SourcePlace

        /// What it is and what it was doing, in one phrase.
        @export(implementation) public let description: String

        /// How many notifications or messages wait for it; the one that it is working on does not.
        @export(implementation) public let queued: Int

        /// Whether a call of it was running, or the task that reads a sequence was at work.
        @export(implementation) public let isRunning: Bool

        /// For how long the call had been running, to some milliseconds; `nil` if none was, or if that is not known: see
        /// ``ObservationStatus/runningFor``.
        @export(implementation) public let runningFor: Duration?

        /// For how long the oldest of the notifications that wait had waited; `nil` if none did, or if that is not known: see
        /// ``ObservationStatus/oldestWait``.
        @export(implementation) public let oldestWait: Duration?

        /// - Parameters:
        ///   - words: What it is.
        ///   - place: The line of source that registered it, or added it.
        ///   - status: What it is doing. Nothing is made of it if it does nothing, and nothing waits.
        @export(implementation)
        init?(_ words: String, _ place: SourcePlace, _ status: QueueStatus) {
            if status.queued == 0, !status.isRunning { return nil }
            self.init(words, place, queued: status.queued, isRunning: status.isRunning, status.calls)
        }

        /// An observer that its center says has not finished.
        @export(implementation)
        init(_ status: ObservationStatus) {
            self.init(
                "\(status.observer)", status.place, queued: status.queued, isRunning: status.isRunning, status.calls)
        }

        @export(implementation)
        init(_ words: String, _ place: SourcePlace, queued: Int, isRunning: Bool, _ calls: CallStatus) {
            self.place = place
            self.queued = queued
            self.isRunning = isRunning
            runningFor = isRunning && calls.isOneCall ? calls.turnDuration : nil
            oldestWait = calls.oldestWait
            var state: [String] = []
            if isRunning {
                let time = calls.turnDuration.map { " for \($0.toMilliseconds)" } ?? ""
                let words = time.isEmpty ? "a call is running" : "a call has been running\(time)"
                state.append(calls.isOneCall || time.isEmpty ? words : "calls have been running\(time)")
            } else if let duration = calls.scheduledDuration {
                state.append("no call has begun for \(duration.toMilliseconds)")
            }
            if queued > 0 { state.append(queued == 1 ? "1 waits" : "\(queued) wait") }
            description = state.isEmpty ? words : "\(words): \(state.joined(separator: ", "))"
        }
    }
}
