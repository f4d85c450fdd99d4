@usableFromInline
package struct PostReach {
    @usableFromInline let left: Entry?

    /// The serials of the entries to call; `nil` for all entries.
    @usableFromInline let only: [UInt64]?

    @inlinable
    init(left: Entry?, only: [UInt64]?) {
        self.left = left
        self.only = only
    }

    @inlinable package static var everyone: PostReach { PostReach(left: nil, only: nil) }

    package static func everyone(but left: Entry?) -> PostReach { PostReach(left: left, only: nil) }

    package static func only(_ serials: [UInt64]) -> PostReach { PostReach(left: nil, only: serials) }

    @inlinable package var isEveryone: Bool { left == nil && only == nil }

    package func includes(_ entry: Entry) -> Bool {
        if entry == left { return false }
        guard let only else { return true }
        return only.contains(entry.serial)
    }
}
