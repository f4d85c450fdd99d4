/// Why an entry has ended.
@usableFromInline
package enum EntryEnd: UInt8, Sendable {
    /// The entry was cancelled.
    case cancelled
    /// The token that kept the entry alive was released.
    case released
    /// The entry's owner was deallocated.
    case ownerGone
    /// The sender to which the entry was limited was deallocated.
    case senderGone
    /// The channel was closed.
    case closed
    /// The channel has finished.
    case finished
}

/// An entry that has ended.
@usableFromInline
package struct EndedEntry: Sendable {
    @usableFromInline package let serial: UInt64
    @usableFromInline package let details: EntryDetails
    @usableFromInline package let end: EntryEnd
}

/// The entries of a channel that ended last; accessed under the channel's lock.
final class EndedEntries {
    static let most = 16

    /// A ring buffer, once there are ``most`` entries.
    private var entries: [EndedEntry] = []

    private var oldest = 0

    /// Stores an entry. Returns the entry that is no longer kept, to be released after the unlock.
    func note(_ entry: EndedEntry) -> EndedEntry? {
        if entries.count < Self.most {
            entries.append(entry)
            return nil
        }
        let replaced = entries[oldest]
        entries[oldest] = entry
        oldest = (oldest + 1) & (Self.most - 1)
        return replaced
    }

    /// The entries, in the order in which they ended.
    var all: [EndedEntry] { entries.indices.map { entries[($0 + oldest) % entries.count] } }
}

extension Channel {
    /// The entries that ended last, in the order in which they ended.
    @usableFromInline
    package final func ended() -> [EndedEntry] { withState { $0.ended?.all ?? [] } }
}
