/// The selection of entries that a post calls, among those that are registered for its payload and its sender.
@usableFromInline
package struct PostReach {
    /// An entry that isn't called.
    @usableFromInline let left: Entry?

    /// The serials of the entries that are called; `nil` for all entries.
    @usableFromInline let only: [UInt64]?

    @inlinable
    init(left: Entry?, only: [UInt64]?) {
        self.left = left
        self.only = only
    }

    /// All entries.
    @inlinable package static var everyone: PostReach { PostReach(left: nil, only: nil) }

    /// All entries except one.
    package static func everyone(but left: Entry?) -> PostReach { PostReach(left: left, only: nil) }

    /// Some entries, by their serials.
    package static func only(_ serials: [UInt64]) -> PostReach { PostReach(left: nil, only: serials) }

    /// Whether all entries are called.
    @inlinable package var isEveryone: Bool { left == nil && only == nil }

    /// Whether an entry is called.
    package func includes(_ entry: Entry) -> Bool {
        if entry == left { return false }
        guard let only else { return true }
        return only.contains(entry.serial)
    }
}
