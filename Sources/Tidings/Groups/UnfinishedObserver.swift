extension ObserverGroup {
    /// A member of a group, or an observer of the group's center, that hadn't finished when the time limit passed.
    public struct Unfinished: Hashable, Sendable, CustomStringConvertible {
        /// The file and line at which the member was registered or added to the group.
        @export(implementation) public let place: SourcePlace

        /// A phrase that describes the member and its state.
        @export(implementation) public let description: String

        /// The number of queued notifications or messages, not counting the one being handled.
        @export(implementation) public let queued: Int

        /// Whether a call was running, or the task that reads a sequence was handling an element.
        @export(implementation) public let isRunning: Bool

        /// How long the call had been running; `nil` if there was no call, or if the time isn't known: see
        /// ``ObservationStatus/runningFor``.
        @export(implementation) public let runningFor: Duration?

        /// How long the oldest queued notification had been waiting; `nil` if none was queued, or if the time isn't
        /// known: see ``ObservationStatus/oldestWait``.
        @export(implementation) public let oldestWait: Duration?

        @export(implementation)
        init?(_ words: String, _ place: SourcePlace, _ status: QueueStatus) {
            if status.queued == 0, !status.isRunning { return nil }
            self.init(words, place, queued: status.queued, isRunning: status.isRunning, status.calls)
        }

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
                state.append(
                    calls.isOneCall || time.isEmpty ? words + calls.mark.words : "calls have been running\(time)")
            } else if let duration = calls.scheduledDuration {
                state.append("no call has begun for \(duration.toMilliseconds)")
            }
            if queued > 0 { state.append(queued == 1 ? "1 waits" : "\(queued) wait") }
            description = state.isEmpty ? words : "\(words): \(state.joined(separator: ", "))"
        }
    }
}
