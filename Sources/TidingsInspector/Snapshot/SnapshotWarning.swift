extension InspectorSnapshot {
    /// A condition or an event that indicates a problem.
    public struct Warning: Codable, Hashable, Sendable {
        /// The kinds of warnings.
        @nonexhaustive
        public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
            /// All threads of the cooperative pool are blocked, so no task makes progress.
            case blockedPool
            /// A call has been running, or a queue has made no progress, for a long time.
            case stuck
            /// Observers post in an endless cycle, in which each post causes the next.
            case postCycle
            /// Calls keep the main actor busy nearly all of the time.
            case busyMainActor
            /// More notifications are queued for an observer than the threshold allows.
            case longQueue
            /// The queue of an observer has grown steadily for some time.
            case growingQueue
            /// One source line keeps registering observers, and none of them ends.
            case growingObservers
            /// The number of owners of one type only grows.
            case growingOwners
            /// The buffering policy of an observer drops notifications. Policies that are meant to drop, like
            /// `.latest(1)`, cause no warning.
            case drops
            /// An observer failed with a notification that won't be retried, or a notification couldn't be decoded.
            case failure
            /// A post called no observer, because the last observer of its type had ended.
            case reachedNobody
            /// An observer was never called, although its type is posted.
            case neverCalled
            /// A call took a long time on the main actor.
            case slowOnMainActor
            /// An owner lives longer than expected.
            case lastingOwner
            /// An owner registered a second observer from the same line.
            case registeredAgain
            /// An observer throws errors, and its notifications wait for a retry.
            case retries
            /// A call took much longer than other calls of its observer.
            case outlier
            /// Posts call no observer, because their type isn't observed.
            case unobserved

            /// The severity of a warning of this kind.
            public var severity: Severity {
                switch self {
                case .blockedPool, .stuck: .alarm
                case .retries, .outlier, .unobserved: .notice
                default: .warning
                }
            }
        }

        /// The severity of a warning.
        @nonexhaustive
        public enum Severity: String, Codable, Hashable, Sendable, CaseIterable {
            /// Something makes no progress.
            case alarm
            /// Something is lost, is slow, grows without a limit, or serves no purpose.
            case warning
            /// Something deserves attention.
            case notice

            var rank: Int {
                switch self {
                case .alarm: 0
                case .warning: 1
                case .notice: 2
                }
            }
        }

        /// A number that identifies the warning in its inspector.
        public var id: Int

        /// The kind of the warning.
        public var kind: Kind

        /// The severity, or `nil` in snapshots of earlier versions of the package.
        public var severity: Severity?

        /// The warning in one sentence.
        public var text: String

        /// The name of the center or the bus.
        public var center: String

        /// The identity of the observer, and the source line of its registration or of the post.
        public var observer, place: String?

        /// The identity of the group of observers, for a warning about a group.
        public var group: String?

        /// The time of the first occurrence, or of the first one after the last recovery.
        public var since: Double

        /// The number of occurrences.
        public var count: Int

        /// The time at which the problem ended and the warning recovered, or `nil` for a current warning. A warning
        /// about an event, such as a slow call, recovers after half a minute without another such event. A warning
        /// about drops recovers after three seconds without drops.
        public var recovered: Double?
    }
}
