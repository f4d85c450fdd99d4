/// Why an entry has ended.
@usableFromInline
package enum EntryEnd: UInt8, Sendable {
    /// It was cancelled.
    case cancelled
    /// The token that held its lifetime was released.
    case released
    /// Its owner is gone.
    case ownerGone
    /// The sender to which it was limited is gone.
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

/// The entries of a channel that were the last to end; used under the channel's lock.
final class EndedEntries {
    /// How many are kept.
    static let most = 16

    /// A ring, from the moment when it is full.
    private var entries: [EndedEntry] = []

    /// Where the oldest one is.
    private var oldest = 0

    /// Keeps an entry.
    ///
    /// - Returns: The one that is kept no longer, to be released when the lock is free.
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
    /// The entries that were the last to end, in that order.
    @usableFromInline
    package final func ended() -> [EndedEntry] { withState { $0.ended?.all ?? [] } }
}
