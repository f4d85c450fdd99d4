/// Whether what a program observes keeps up, and if not, why: what a server says when it is asked if it is ready, or alive.
///
/// ```swift
/// router.get("ready") { _, _ in
///     let health = center.health() + audit.health()
///     if !health.isWell { throw HTTPError(.serviceUnavailable, message: "\(health)") }
///     return "ready"
/// }
/// ```
///
/// It is looked at when you ask. A monitor is told of the same when it happens: see ``WarningThresholds``.
public struct NotificationHealth: Hashable, Sendable {
    /// One thing that is not as it should be.
    public struct Problem: Hashable, Sendable, CustomStringConvertible {
        /// What kind of thing it is.
        @nonexhaustive
        public enum Kind: String, Hashable, Sendable, CaseIterable {
            /// A call has been running for longer than ``WarningThresholds/call``.
            case slowCall
            /// Notifications wait, and for longer than ``WarningThresholds/call`` none was taken.
            case stalledQueue
            /// The oldest notification that waits has waited for longer than ``WarningThresholds/call``, while others are taken; or behind a
            /// relay, for longer than its options allow.
            case longWait
            /// More notifications wait than ``WarningThresholds/waiting`` allows, or behind a relay, its options.
            case longQueue
            /// A relay has no connection.
            case disconnected
            /// As much waits to be stored as a relay or an outbox has room for, or nearly.
            case fullOutbox
            /// The database of an outbox does not do what it is asked to, or the server of a relay does not answer. It is asked again.
            case failingStore
        }

        /// What kind of thing it is.
        @export(implementation) public let kind: Kind

        /// The observer; `nil` if it is not an observer's.
        @export(implementation) public let observer: ObserverDescription?

        /// The problem in one sentence.
        @export(implementation) public let description: String

        /// Names a problem.
        ///
        /// - Parameters:
        ///   - kind: What kind of thing it is.
        ///   - description: The problem in one sentence.
        ///   - observer: The observer; `nil` if it is not an observer's.
        @export(implementation)
        public init(_ kind: Kind, _ description: String, of observer: ObserverDescription? = nil) {
            self.kind = kind
            self.description = description
            self.observer = observer
        }
    }

    /// What is not as it should be.
    @export(implementation) public let problems: [Problem]

    /// States what is not as it should be.
    ///
    /// - Parameter problems: The problems.
    @export(implementation)
    public init(_ problems: [Problem] = []) { self.problems = problems }

    /// Whether there is no problem: what a server is asked before it is sent requests.
    @export(implementation) public var isWell: Bool { problems.isEmpty }

    /// Whether nothing stands still: what a server is asked to find out if it has to be started anew. What is only slow, or not connected,
    /// goes on by itself; a call that hangs does not.
    @export(implementation)
    public var isAlive: Bool { problems.allSatisfy { $0.kind != .slowCall && $0.kind != .stalledQueue } }

    /// The problems of both.
    @export(implementation)
    public static func + (one: NotificationHealth, other: NotificationHealth) -> NotificationHealth {
        NotificationHealth(one.problems + other.problems)
    }
}

extension NotificationHealth: CustomStringConvertible {
    /// The problems, each in one sentence, or that there are none.
    public var description: String {
        problems.isEmpty ? "all is well" : problems.map(\.description).joined(separator: "; ")
    }
}

extension Collection<ObservationStatus> {
    /// Whether the observers keep up: also some of a center's, as those of one group.
    ///
    /// ```swift
    /// let mail = center.observations.filter { $0.group == "mail" }.health()
    /// ```
    ///
    /// - Parameter thresholds: How many notifications may wait, and how long a call may take.
    /// - Returns: What is not as it should be.
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
                let warning = ObserverWarning.slowCall(observer, duration: duration, waiting: queued)
                problems.append(.init(.slowCall, "\(warning)", of: observer))
            } else if !isRunning, queued > 0, let duration = calls.scheduledDuration, duration > limit {
                let warning = ObserverWarning.stalledQueue(observer, duration: duration, waiting: queued)
                problems.append(.init(.stalledQueue, "\(warning)", of: observer))
            } else if let duration = oldestWait, duration > limit {
                let words = "the oldest of \(queued) has waited for \(duration.toMilliseconds): \(observer)"
                problems.append(.init(.longWait, words, of: observer))
            }
        }
        if let limit = thresholds.waiting, queued > limit {
            problems.append(.init(.longQueue, "\(ObserverWarning.longQueue(observer, waiting: queued))", of: observer))
        }
        return problems
    }
}
