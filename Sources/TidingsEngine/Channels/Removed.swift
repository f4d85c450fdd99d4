/// What was taken out of a channel in one step, to be freed when no post can see it, and outside the channel's lock.
struct Removed: @unchecked Sendable {  // handed from thread to thread under the channel's lock, freed by one of them
    /// An entry, whose closure and details have to be destroyed.
    let entry: Entry?

    /// What goes with it, which is seldom.
    private var rest: Parts?

    final class Parts {
        /// A chunk that was unlinked.
        var chunk: Chunk?
        /// A roster without entries.
        var roster: Roster?
        /// An index that was replaced.
        var table: SenderTable?
        /// Not seen by posts, but not to be released under the lock either.
        var mortals: [Mortal] = []

        deinit { chunk?.release() }
    }

    init(entry: Entry? = nil) { self.entry = entry }

    var isEmpty: Bool { entry == nil && rest == nil }

    mutating func parts() -> Parts {
        if let rest { return rest }
        let parts = Parts()
        rest = parts
        return parts
    }
}
