/// The events that the host of a channel wants to receive.
package struct HostInterests: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Entries are added and end.
    package static let entries = HostInterests(rawValue: 1)

    /// Posts are made, and call observers.
    package static let posts = HostInterests(rawValue: 2)

    /// Posts begin. The host receives more about posts that may reach nobody, and about posts with calls that it always
    /// observes.
    package static let beginnings = HostInterests(rawValue: 4)

    /// Whether posts do more than call observers. A single mask, because a literal of several options takes longer than
    /// a post.
    package var areOfPosts: Bool { rawValue & 6 != 0 }
}

/// The requirements of a channel on the code above the engine. No lock is held during the calls, unless documented
/// otherwise.
package protocol ChannelHost: AnyObject, Sendable {
    /// Whether the channel records which entries have ended, even while it isn't monitored. The value never changes.
    var keepsEnded: Bool { get }

    /// Whether the host decides about each post, and refuses every post that comes after the channel began to finish.
    /// The value never changes. If it is true, all posts are made by
    /// ``TypedChannel/postIfUsual(_:fromObjectAt:orFrom:in:)``, or inside a lane as described there.
    var admitsPosts: Bool { get }

    /// The mode of the entries whose calls the host observes even if it only receives the beginnings of posts. The
    /// value never changes.
    var modeLookedAt: UInt8 { get }

    /// Called when a post begins. The host receives nothing else about this post.
    func willPost()

    /// Whether the owner of an entry with this tie is alive.
    func isAlive(_ tie: AnyObject) -> Bool

    /// The address of the owner of an entry with this tie. The owner may be dead. Called under the channel's lock, so
    /// it mustn't run user code.
    func owner(of tie: AnyObject) -> UInt

    /// Called when an entry was added to a monitored channel.
    func didAdd(_ entry: Entry, _ details: EntryDetails)

    /// Called when an entry of a monitored channel has ended.
    func didEnd(_ entry: Entry, _ details: EntryDetails, _ end: EntryEnd)

    /// Stops the program because a sender of this type was comparable where its observer was registered and isn't where
    /// it posts, or the reverse: its conformance to `Hashable` is isolated to a global actor.
    func cannotCompare(_ type: Any.Type) -> Never
}

/// Work that a post does around each call.
package protocol PostHook {
    /// Called before the post checks whether an entry is live. Returns whether to call the entry. The details are kept
    /// for the post, even if the entry's own have been freed.
    mutating func willCall(_ entry: Entry, _ details: @autoclosure () -> EntryDetails) -> Bool

    /// Called when a call has returned.
    mutating func didCall(_ entry: Entry)

    /// The number of calls of the post that don't count, because a condition rejected the payload.
    var refusals: Int { get }
}

/// The hook of most posts, which the optimiser removes.
struct NoHook: PostHook {
    #if TSAN
        /// A variable of size 0 has no memory of its own, and the thread sanitizer takes all of them for one shared
        /// variable.
        private var room: UInt8 = 0
    #endif

    @inline(__always) func willCall(_ entry: Entry, _ details: @autoclosure () -> EntryDetails) -> Bool { true }
    @inline(__always) func didCall(_ entry: Entry) {}
    @inline(__always) var refusals: Int { 0 }
}
