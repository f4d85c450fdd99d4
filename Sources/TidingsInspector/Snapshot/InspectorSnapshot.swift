/// The state of a program as an ``Inspector`` sees it at one time. It is sent as JSON, with the names of its properties
/// as keys.
///
/// Times are seconds since 1970, durations are seconds, and values that weren't measured are absent. Every text has at
/// most ``longestText`` bytes and no control characters. <doc:TheSnapshot> describes the format.
public struct InspectorSnapshot: Codable, Hashable, Sendable {
    /// The version of this format. It changes when a key is removed or changes its meaning. Keys can be added without a
    /// new version.
    public static let currentVersion = 1

    /// The maximum length of a text in bytes of UTF-8. Longer texts are truncated with an ellipsis.
    public static let longestText = 400

    /// The version of the format: ``currentVersion``.
    public var version = InspectorSnapshot.currentVersion

    /// The number of snapshots that the inspector has created, including this one.
    public var sequence: Int

    /// The time at which it was made.
    public var time: Double

    /// The program that is inspected.
    public var program: Program

    /// The tier of the inspector.
    public var tier: Tier

    /// The number of seconds until the inspector returns to ``Tier/look``, or `nil` in that tier.
    public var tierEnds: Double?

    /// The number of streams that are being read.
    public var viewers: Int

    /// The number of snapshots that the reader of this stream missed because it was too slow.
    public var lost: Int

    /// The total numbers.
    public var totals: Totals

    /// The notification types, by name.
    public var types: [NotificationType]

    /// The observers, including the consumers of buses, sorted as the reader requested: by default those with the
    /// longest queues first.
    public var observers: [Observer]

    /// The observers by the source lines that registered them, sorted and filtered in the same way. Groups that only
    /// grow are always included.
    public var groups: [Group]

    /// The types of the objects that own observers: those with the most objects, and those that only grow.
    public var owners: [OwnerType]

    /// The observers that are stuck, because their call has been running, or their queue has made no progress, for
    /// ``Inspector/Options/stuckAfter``. They are listed regardless of the reader's selection, with the longest first.
    public var stuck: [Observer]

    /// The observers that have ended, newest first.
    public var ended: [EndedObserver]

    /// The message buses.
    public var buses: [Bus]

    /// The relays, with the lag of their routes, or `nil` if the inspector has none.
    public var relays: [Relay]?

    /// The current and past warnings: by ``Warning/Severity``, then newest first, with recovered ones last.
    public var warnings: [Warning]

    /// The last followed posts, newest first. There are none in the other tiers.
    public var posts: [Post]

    /// The number of rows that this snapshot omits.
    public var omitted: Omitted

    /// The sampling interval *n* of the tier ``Tier/follow``: one post in *n* is followed, with everything it causes.
    /// It is more than 1 at high rates, and `nil` in the other tiers.
    public var followsOnePostIn: Int?

    /// The program that is inspected.
    public struct Program: Codable, Hashable, Sendable {
        /// The name of its executable.
        public var name: String

        /// The process identifier.
        public var process: Int

        /// The time at which the inspector was created.
        public var started: Double
    }

    /// The amount that an inspector measures, which determines its cost.
    @nonexhaustive
    public enum Tier: String, Codable, Hashable, Sendable, CaseIterable {
        /// The inspector only reads lists and counters that exist anyway, when a snapshot is made.
        case look
        /// The inspector also measures the durations of posts, calls and waits, for a sample of the posts that is small
        /// enough to be cheap.
        case count
        /// The inspector also keeps posts with everything they cause. It keeps all of them at up to 20,000 posts and
        /// calls per second, and at higher rates a fraction that meets this limit. See
        /// ``InspectorSnapshot/followsOnePostIn``.
        case follow
    }

    /// The total numbers.
    public struct Totals: Codable, Hashable, Sendable {
        /// The numbers of posts, deliveries and drops since the centers were created. Dropped notifications aren't
        /// deliveries.
        public var posts, deliveries, drops: Int

        /// The rates per second over about the last second, or `nil` in the first snapshot.
        public var postsPerSecond, deliveriesPerSecond, dropsPerSecond: Double?

        /// The numbers of notification types and observers.
        public var types, observers: Int

        /// The number of queued notifications, and the number of running observers.
        public var waiting, running: Int
    }

    /// The numbers of rows that a snapshot omits.
    public struct Omitted: Codable, Hashable, Sendable {
        /// The numbers of types and observers that the reader's filter or limit excludes.
        public var types = 0, observers = 0

        /// The number of posts that were forgotten or omitted since following began.
        public var posts = 0

        /// The number of posts that weren't followed although a followed post has caused them, because a chain of
        /// causes is only followed up to a limit. It is `nil` in the other tiers.
        public var causedPosts: Int?
    }
}
