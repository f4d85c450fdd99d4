/// What the host of a channel is told.
package struct HostInterests: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Entries that are added, and that end.
    package static let entries = HostInterests(rawValue: 1)

    /// Posts, and the calls that they make.
    package static let posts = HostInterests(rawValue: 2)

    /// That posts begin; and more of those that may reach nobody, and of those with calls at which the host looks.
    package static let beginnings = HostInterests(rawValue: 4)

    /// Whether posts do more than to call observers. One value: a literal of several takes longer than a post.
    package var areOfPosts: Bool { rawValue & 6 != 0 }
}

/// What a channel asks of the code above the engine. No lock is held in any of the calls but one.
package protocol ChannelHost: AnyObject, Sendable {
    /// Whether the channel keeps which entries have ended, also while it is not monitored. It does not change.
    var keepsEnded: Bool { get }

    /// Whether the host says of each post whether it is made, and says of none that it is from before the channel finishes. It does not
    /// change. All posts are made by ``TypedChannel/postIfUsual(_:fromObjectAt:orFrom:in:)`` then, or inside what that says.
    var admitsPosts: Bool { get }

    /// The mode of the entries at whose calls the host looks also if it is told only that posts begin. It does not change.
    var modeLookedAt: UInt8 { get }

    /// Takes note that a post begins, of which it is not told more.
    func willPost()

    /// Whether the owner of an entry is alive.
    ///
    /// - Parameter tie: The tie of an entry that has an owner.
    /// - Returns: Whether it is.
    func isAlive(_ tie: AnyObject) -> Bool

    /// The address of the owner of an entry, who may be gone. Called under the channel's lock, so it runs no code of a user.
    ///
    /// - Parameter tie: The tie of an entry that has an owner.
    /// - Returns: The address.
    func owner(of tie: AnyObject) -> UInt

    /// Takes note of an entry that was added to a monitored channel.
    func didAdd(_ entry: Entry, _ details: EntryDetails)

    /// Takes note of an entry that has ended in a monitored channel.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - details: The details of the entry.
    ///   - end: Why it has ended.
    func didEnd(_ entry: Entry, _ details: EntryDetails, _ end: EntryEnd)

    /// Says that a sender could be compared where its observer was registered and cannot where it posts, or the other way
    /// round: its conformance to `Hashable` belongs to a global actor.
    ///
    /// - Parameter type: The type of the sender.
    func cannotCompare(_ type: Any.Type) -> Never
}

/// What a post does around each call, beside calling.
package protocol PostHook {
    /// Called before the post looks whether an entry is live, and calls it.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - details: The details of the entry. They are kept for the post, where the entry's own may be gone.
    /// - Returns: Whether to call it.
    mutating func willCall(_ entry: Entry, _ details: @autoclosure () -> EntryDetails) -> Bool

    /// Called when a call has returned.
    mutating func didCall(_ entry: Entry)

    /// How many calls of the post do not count, as a condition refused the payload.
    var refusals: Int { get }
}

/// The hook of most posts, which the optimiser removes.
struct NoHook: PostHook {
    #if TSAN
        /// A variable of no size has no memory of its own, and the thread sanitizer takes all of them for one that threads share.
        private var room: UInt8 = 0
    #endif

    @inline(__always) func willCall(_ entry: Entry, _ details: @autoclosure () -> EntryDetails) -> Bool { true }
    @inline(__always) func didCall(_ entry: Entry) {}
    @inline(__always) var refusals: Int { 0 }
}
