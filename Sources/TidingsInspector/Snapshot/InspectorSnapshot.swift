/// What an ``Inspector`` saw at one time: a value that is sent as JSON, with the names of its properties as keys.
///
/// Times are seconds since the beginning of 1970, durations are seconds, and what was not measured is absent. Every text is cut
/// to at most ``longestText`` bytes and has no control characters. <doc:TheSnapshot> describes the form.
public struct InspectorSnapshot: Codable, Hashable, Sendable {
    /// The number of this form. It changes when a key is removed or means something else; keys may be added without it.
    public static let currentVersion = 1

    /// How many bytes of UTF-8 a text has at most; what is longer ends in an ellipsis.
    public static let longestText = 400

    /// The number of the form: ``currentVersion``.
    public var version = InspectorSnapshot.currentVersion

    /// How many snapshots the inspector had made, with this one.
    public var sequence: Int

    /// When it was made.
    public var time: Double

    /// The program that is inspected.
    public var program: Program

    /// How much the inspector measures.
    public var tier: Tier

    /// In how many seconds the inspector goes back to ``Tier/look``; `nil` if it is there.
    public var tierEnds: Double?

    /// How many streams of snapshots are being read.
    public var viewers: Int

    /// How many snapshots the reader of this stream has missed because it read too slowly.
    public var lost: Int

    /// The numbers of everything together.
    public var totals: Totals

    /// The notification types, by name.
    public var types: [NotificationType]

    /// The observers, with the consumers of buses, as the reader wanted them sorted: those with the longest queues first, if it
    /// did not say.
    public var observers: [Observer]

    /// The same by the lines of source that registered them, sorted and filtered in the same way; those that only grow are among them
    /// in any case.
    public var groups: [Group]

    /// The types of the objects that own observers: those with the most objects, and those that only become more.
    public var owners: [OwnerType]

    /// The observers that are stuck: whose call runs, or whose queue stands still, for as long as ``Inspector/Options/stuckAfter``.
    /// They are listed here whatever the reader wanted to see, the one that is stuck for longest first.
    public var stuck: [Observer]

    /// The observers that have ended, the last one first.
    public var ended: [EndedObserver]

    /// The message buses.
    public var buses: [Bus]

    /// The relays, with how far behind their routes are; `nil` if the inspector was given none.
    public var relays: [Relay]?

    /// What looks wrong, or did: by ``Warning/Severity``, of one severity the last one first, and those that have recovered behind the others.
    public var warnings: [Warning]

    /// The last posts that were followed, the last one first; none in the other tiers.
    public var posts: [Post]

    /// How many rows there are that this snapshot does not have.
    public var omitted: Omitted

    /// Of how many posts one is followed, with all that it leads to: more than one where very much is posted; `nil` in the other
    /// tiers.
    public var followsOnePostIn: Int?

    /// The program that is inspected.
    public struct Program: Codable, Hashable, Sendable {
        /// The name of its executable.
        public var name: String

        /// The number of its process.
        public var process: Int

        /// When the inspector was made.
        public var started: Double
    }

    /// How much an inspector measures, and so what it costs.
    @nonexhaustive
    public enum Tier: String, Codable, Hashable, Sendable, CaseIterable {
        /// It looks at lists and counters that exist anyway, when a snapshot is made.
        case look
        /// It also measures how long posts, calls and waits take, of as many posts as it costs little.
        case count
        /// It also keeps posts, with what they led to: all of them where up to 20,000 posts and calls happen a second, and above that one
        /// post in as many as bring them down to that, see ``InspectorSnapshot/followsOnePostIn``.
        case follow
    }

    /// The numbers of everything together.
    public struct Totals: Codable, Hashable, Sendable {
        /// How many posts, deliveries and drops there were since the centers were made. What was dropped is not among the deliveries.
        public var posts, deliveries, drops: Int

        /// The same for each second of about the last one; `nil` in the first snapshot.
        public var postsPerSecond, deliveriesPerSecond, dropsPerSecond: Double?

        /// How many notification types and observers there are.
        public var types, observers: Int

        /// How many notifications wait for observers, and how many observers are running.
        public var waiting, running: Int
    }

    /// How many rows there are that a snapshot does not have.
    public struct Omitted: Codable, Hashable, Sendable {
        /// How many types and observers the reader filtered out, or there was no room for.
        public var types = 0, observers = 0

        /// How many posts were forgotten, or left out, since following began.
        public var posts = 0

        /// How many posts were not followed although one that was has caused them, as a chain of causes is followed for so many posts only;
        /// `nil` in the other tiers.
        public var causedPosts: Int?
    }
}
