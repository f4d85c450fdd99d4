/// The problems of observers that don't keep up. A server uses this value for its readiness and liveness checks.
///
/// ```swift
/// router.get("ready") { _, _ in
///     let health = center.health() + audit.health()
///     if !health.isWell { throw HTTPError(.serviceUnavailable, message: "\(health)") }
///     return "ready"
/// }
/// ```
///
/// A monitor receives the same information when a problem occurs; see ``WarningThresholds``.
public struct NotificationHealth: Hashable, Sendable {
    /// A problem that was found.
    public struct Problem: Hashable, Sendable, CustomStringConvertible {
        /// The kind of a problem.
        @nonexhaustive
        public enum Kind: String, Hashable, Sendable, CaseIterable {
            /// A call has been running for longer than ``WarningThresholds/call``.
            case slowCall
            /// Notifications are queued, and none has been taken for longer than ``WarningThresholds/call``.
            case stalledQueue
            /// The oldest queued notification has waited for longer than ``WarningThresholds/call``, although the queue
            /// isn't stalled. For a sequence, this is reported instead of ``stalledQueue``. If the buffering policy of a
            /// sequence drops its oldest notifications, the other notifications may never be old enough, and neither
            /// problem is reported. A relay reports this for a notification type that it receives, with a limit from
            /// its own options.
            case longWait
            /// The queue is longer than ``WarningThresholds/waiting``. A relay reports this for a notification type
            /// that it receives, with a limit from its own options.
            case longQueue
            /// A relay isn't connected to its server.
            case disconnected
            /// A relay's send buffer is nearly full. It contains notifications that the server hasn't stored yet.
            case fullBuffer
            /// The database of an outbox failed, or the server of a relay doesn't respond. The request is retried.
            case failingStore
        }

        /// The kind of the problem.
        @export(implementation) public let kind: Kind

        /// The observer that has the problem; `nil` if no observer has it.
        @export(implementation) public let observer: ObserverDescription?

        /// A sentence that describes the problem.
        @export(implementation) public let description: String

        /// Creates a problem.
        ///
        /// - Parameters:
        ///   - kind: The kind of the problem.
        ///   - description: A sentence that describes the problem.
        ///   - observer: The observer that has the problem; `nil` if no observer has it.
        @export(implementation)
        public init(_ kind: Kind, _ description: String, of observer: ObserverDescription? = nil) {
            self.kind = kind
            self.description = description
            self.observer = observer
        }
    }

    /// The problems that were found.
    @export(implementation) public let problems: [Problem]

    /// Creates a value with the given problems.
    ///
    /// - Parameter problems: The problems.
    @export(implementation)
    public init(_ problems: [Problem] = []) { self.problems = problems }

    /// Whether there is no problem, for a *readiness* check. While it is `false`, a load balancer sends no requests.
    @export(implementation) public var isWell: Bool { problems.isEmpty }

    /// Whether there is no slow call and no stalled queue, for a *liveness* check, which decides whether the program
    /// has to be restarted. A component that is slow or disconnected recovers on its own; a call that hangs doesn't.
    @export(implementation)
    public var isAlive: Bool { problems.allSatisfy { $0.kind != .slowCall && $0.kind != .stalledQueue } }

    /// Combines the problems of both values.
    @export(implementation)
    public static func + (one: NotificationHealth, other: NotificationHealth) -> NotificationHealth {
        NotificationHealth(one.problems + other.problems)
    }
}

extension NotificationHealth: CustomStringConvertible {
    /// The problems, each in one sentence, or a statement that there are none.
    public var description: String {
        problems.isEmpty ? "all is well" : problems.map(\.description).joined(separator: "; ")
    }
}

extension Collection<ObservationStatus> {
    /// Checks whether the observers in this collection, such as those of one group, keep up.
    ///
    /// ```swift
    /// let mail = center.observations.filter { $0.group == "mail" }.health()
    /// ```
    ///
    /// - Parameter thresholds: How many notifications may be queued, and how long a call may take.
    /// - Returns: The problems that were found.
    @export(implementation)
    public func health(_ thresholds: WarningThresholds = WarningThresholds()) -> NotificationHealth {
        NotificationHealth(flatMap { $0.problems(thresholds) })
    }
}

extension ObservationStatus {
    @export(implementation)
    func problems(_ thresholds: WarningThresholds) -> [NotificationHealth.Problem] {
        var problems: [NotificationHealth.Problem] = []
        if let limit = thresholds.call {
            if let duration = runningFor, duration > limit {
                let warning = ObserverWarning.slowCall(
                    observer, duration: duration, waiting: queued, last: calls.mark)
                problems.append(.init(.slowCall, "\(warning)", of: observer))
            } else if !isRunning, queued > 0, let duration = calls.scheduledDuration, duration > limit {
                let warning = ObserverWarning.stalledQueue(observer, duration: duration, waiting: queued)
                problems.append(.init(.stalledQueue, "\(warning)", of: observer))
            } else if let duration = oldestWait, duration > limit {
                let words =
                    "the oldest notification in a queue of \(queued) has waited for \(duration.toMilliseconds): \(observer)"
                problems.append(.init(.longWait, words, of: observer))
            }
        }
        if let limit = thresholds.waiting, queued > limit {
            problems.append(.init(.longQueue, "\(ObserverWarning.longQueue(observer, waiting: queued))", of: observer))
        }
        return problems
    }
}
