@usableFromInline
package enum EntryEnd: Sendable {
    case cancelled
    case released
    case ownerGone
    case senderGone
    case closed
    case finished
}

@usableFromInline
package typealias EndedEntry = (serial: UInt64, details: EntryDetails, end: EntryEnd)

/// The most recently ended entries of a channel; accessed under the channel's lock.
final class EndedEntries {
    static let most = 16

    private var entries: [EndedEntry] = []

    private var oldest = 0

    /// Records an ended entry. Returns the entry that it replaces, to be released after the unlock.
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

    var all: [EndedEntry] { entries.indices.map { entries[($0 + oldest) % entries.count] } }
}

extension Channel {
    @usableFromInline
    package final func ended() -> [EndedEntry] { withState { $0.ended?.all ?? [] } }
}
