extension InspectorSnapshot {
    /// Something that looks wrong, or did.
    public struct Warning: Codable, Hashable, Sendable {
        /// What a warning is about.
        @nonexhaustive
        public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
            /// Every thread of the cooperative pool is taken, so that no task goes on.
            case blockedPool
            /// A call runs, or a queue stands still, for long.
            case stuck
            /// Posts lead to themselves again.
            case postCycle
            /// Calls keep the main actor busy for nearly all of the time.
            case busyMainActor
            /// More notifications wait for an observer than should.
            case longQueue
            /// The queue of an observer has grown steadily for some time.
            case growingQueue
            /// One line of source registers more and more observers, of which none ends.
            case growingObservers
            /// Objects of one type that own observers become more and more.
            case growingOwners
            /// The buffering policy of an observer drops notifications, which is not its purpose.
            case drops
            /// An observer gives up notifications after an error, or a notification could not be translated.
            case failure
            /// A post reached nobody, as the last observer has ended.
            case reachedNobody
            /// An observer was never called although its type is posted.
            case neverCalled
            /// A call took long on the main actor.
            case slowOnMainActor
            /// An owner lives longer than expected.
            case lastingOwner
            /// An owner registered a second observer from the same line.
            case registeredAgain
            /// An observer throws errors, and is called again.
            case retries
            /// A call took very much longer than others of its observer.
            case outlier
            /// Posts call nobody, as nobody observes their type.
            case unobserved

            /// How much a warning of this kind matters.
            public var severity: Severity {
                switch self {
                case .blockedPool, .stuck: .alarm
                case .retries, .outlier, .unobserved: .notice
                default: .warning
                }
            }
        }

        /// How much a warning matters.
        @nonexhaustive
        public enum Severity: String, Codable, Hashable, Sendable, CaseIterable {
            /// Something stands still.
            case alarm
            /// Something is lost, grows without an end, or does not do what it is there for.
            case warning
            /// Something is worth a look.
            case notice

            var rank: Int {
                switch self {
                case .alarm: 0
                case .warning: 1
                case .notice: 2
                }
            }
        }

        /// The number of the warning in its inspector.
        public var id: Int

        /// What it is about.
        public var kind: Kind

        /// How much it matters; `nil` in snapshots of earlier versions of the package.
        public var severity: Severity?

        /// The warning in one sentence.
        public var text: String

        /// The name of the center or the bus.
        public var center: String

        /// The identity of the observer, and the place of its registration, or of the post.
        public var observer, place: String?

        /// The identity of the group of observers, if it is about one.
        public var group: String?

        /// When it was given the first time.
        public var since: Double

        /// How often it was given.
        public var count: Int

        /// When what it is about was in order again; `nil` for a warning that lives. What is told once, as a slow call is, counts
        /// as in order when half a minute has passed without another.
        public var recovered: Double?
    }
}
