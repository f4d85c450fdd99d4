/// The state of a program at one time. In JSON, the names of the properties are the keys.
///
/// Times are seconds since 1970, durations are seconds, and values that weren't measured are absent. Texts have at most
/// ``longestText`` bytes and no control characters. <doc:TheSnapshot> describes the format.
public struct InspectorSnapshot: Codable, Hashable, Sendable {
    /// The version of this format. It changes when a key is removed or changes its meaning, not when a key is added.
    public static let currentVersion = 1

    /// The maximum length of a text in bytes of UTF-8. Longer texts are truncated, and end with an ellipsis.
    public static let longestText = 400

    /// The version of the format: ``currentVersion``.
    public var version = InspectorSnapshot.currentVersion

    /// The number of snapshots that the inspector has created, including this one.
    public var sequence: Int

    /// The time of the snapshot.
    public var time: Double

    /// The program that is inspected.
    public var program: Program

    /// The tier, which determines what the inspector measures.
    public var tier: Tier

    /// The number of seconds until the inspector returns to ``Tier/look``, or `nil` in that tier.
    public var tierEnds: Double?

    /// The number of snapshot sequences that are being read from the inspector.
    public var viewers: Int

    /// The number of snapshots that the reader of this sequence was too slow to receive.
    public var lost: Int

    /// The totals over all centers, buses and observers.
    public var totals: Totals

    /// The notification types, in the order of the centers and buses. The types of a center are sorted by name.
    public var types: [NotificationType]

    /// The observers, and the consumers of buses, in the requested order. By default, the longest queues are first.
    public var observers: [Observer]

    /// The observers grouped by the source lines that registered them, in the requested order. If the filter or the
    /// limit excludes groups whose number of observers only grows, up to 20 of these groups follow at the end.
    public var groups: [Group]

    /// The types of owners, at most 100. Types whose number of objects only grows come first. Types with more objects
    /// precede types with fewer objects.
    public var owners: [OwnerType]

    /// The observers whose call has been running, or whose queue hasn't progressed, for at least
    /// ``Inspector/Options/stuckAfter``, longest first, at most 100. The reader's selection doesn't affect this list.
    public var stuck: [Observer]

    /// The last observers that have ended, at most 100, newest first.
    public var ended: [EndedObserver]

    /// The message buses.
    public var buses: [Bus]

    /// The relays with the lag of their routes, or `nil` if the inspector has none.
    public var relays: [Relay]?

    /// The current warnings, sorted by ``Warning/Severity`` and then newest first, followed by the recovered warnings.
    public var warnings: [Warning]

    /// The last posts, newest first, followed by the older posts that ``Inspector/Selection/posts`` names. The array is
    /// empty outside ``Tier/follow``.
    public var posts: [Post]

    /// The number of rows that this snapshot omits.
    public var omitted: Omitted

    /// In ``Tier/follow``, one of this many posts is recorded, with the posts that it causes. At low rates, the value
    /// is 1, so all posts are recorded.
    public var followsOnePostIn: Int?

    /// The program that is inspected.
    public struct Program: Codable, Hashable, Sendable {
        /// The name of the executable.
        public var name: String

        /// The process identifier.
        public var process: Int

        /// The time at which the inspector was created.
        public var started: Double
    }

    /// How much an inspector measures, which determines its cost.
    @nonexhaustive
    public enum Tier: String, Codable, Hashable, Sendable, CaseIterable {
        /// The inspector only reads existing lists and counters when it takes a snapshot.
        case look
        /// The inspector also measures the durations of posts, calls and waits. At high rates, it measures a sample.
        case count
        /// The inspector also records each post, with all calls and posts that it causes. Above 20,000 posts and calls
        /// per second, it records only a fraction of the posts: see ``InspectorSnapshot/followsOnePostIn``.
        case follow
    }

    /// Totals over all centers, buses and observers.
    public struct Totals: Codable, Hashable, Sendable {
        /// The numbers of posts, deliveries and drops of all types: see ``NotificationType/posts``.
        public var posts, deliveries, drops: Int

        /// The rates per second over about the last second, or `nil` if they aren't known yet.
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

        /// The number of posts since the tier became ``Tier/follow`` that aren't listed. Posts that sampling skipped
        /// aren't counted.
        public var posts = 0

        /// The number of posts that observers made during calls, and that weren't recorded because there were too many
        /// of them. `nil` unless the tier is ``Tier/follow``.
        public var causedPosts: Int?
    }
}
