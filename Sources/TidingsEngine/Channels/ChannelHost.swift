package struct HostInterests: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Additions and ends of entries, which are observers.
    package static let entries = HostInterests(rawValue: 1)

    package static let posts = HostInterests(rawValue: 2)

    /// The beginnings of posts. The host also receives the calls of a post if the post isn't certain to call an entry,
    /// or if an entry of the channel ever had the mode ``ChannelHost/modeLookedAt``.
    package static let beginnings = HostInterests(rawValue: 4)

    /// Whether posts do more than call observers. Evaluated with a mask, because an option-set literal takes longer.
    package var areOfPosts: Bool { rawValue & 6 != 0 }
}

/// The engine's requirements on its client, the center. Methods are called without a lock, unless documented otherwise.
package protocol ChannelHost: AnyObject, Sendable {
    /// Whether the channel always records which entries have ended. The value never changes.
    var keepsEnded: Bool { get }

    /// Whether the host decides about each post, and refuses every post once the channel has begun to finish. The value
    /// never changes. If it is true, posts are made by ``TypedChannel/postIfUsual(_:fromObjectAt:orFrom:in:)``, or
    /// between ``Channel/enter()`` and ``Channel/leave(_:)``.
    var admitsPosts: Bool { get }

    /// The mode of the entries whose calls the host observes with ``HostInterests/beginnings``. Never changes.
    var modeLookedAt: UInt8 { get }

    /// Called before the first call of each post that the host observes, and before each call of a post without a lane
    /// or of a hand-over; see ``TypedChannel/call(_:with:)``. By then, ``Channel/hasPost`` is true, or the call is
    /// recorded in the channel's state.
    func willPost()

    func isAlive(_ tie: AnyObject) -> Bool

    /// The address of the owner, possibly deallocated. Called under the channel's lock, so it mustn't run user code.
    func owner(of tie: AnyObject) -> UInt

    func didAdd(_ entry: Entry, _ details: EntryDetails)

    func didEnd(_ entry: Entry, _ details: EntryDetails, _ end: EntryEnd)

    /// Stops the program. A sender was comparable at a registration and isn't at a post, or the reverse, because the
    /// sender's conformance to `Hashable` is isolated to a global actor.
    func cannotCompare(_ type: Any.Type) -> Never
}

package protocol PostHook {
    /// Called before the post checks whether an entry is live. Returns whether to call the entry. The details are valid
    /// during the call of this method, even if the entry has been freed.
    mutating func willCall(_ entry: Entry, _ details: @autoclosure () -> EntryDetails) -> Bool

    mutating func didCall(_ entry: Entry)

    /// The number of calls that don't count, because a condition rejected the payload.
    var refusals: Int { get }
}

struct NoHook: PostHook {
    #if TSAN
        /// Variables of size 0 have no memory of their own. The thread sanitizer takes them for one shared variable.
        private var room: UInt8 = 0
    #endif

    @inline(__always) func willCall(_ entry: Entry, _ details: @autoclosure () -> EntryDetails) -> Bool { true }
    @inline(__always) func didCall(_ entry: Entry) {}
    @inline(__always) var refusals: Int { 0 }
}
