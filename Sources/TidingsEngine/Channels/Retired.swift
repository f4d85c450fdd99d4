/// What was taken out of a channel while posts were in progress that may see it; used under the channel's lock.
///
/// Whatever waits for the same posts stands in one section, so that the end of a post costs one step for each section, and not one
/// for each thing that waits. A post that was in progress when one thing was taken out, and still is when the next one is, may see
/// both: the sets of posts grow from section to section. So there are no more sections than lanes, and sections whose sets have
/// become the same are neighbours.
struct Retired {
    private struct Section {
        /// The lanes of the posts that have to leave.
        var lanes: UInt64
        var removed: [Removed]
    }

    /// In the order in which they began.
    private var sections: [Section] = []

    var sectionCount: Int { sections.count }

    /// Keeps something until the posts in these lanes have left; an entry keeps its chunk meanwhile.
    mutating func append(_ removed: consuming Removed, lanes: UInt64) {
        removed.entry?.chunk.retain()
        if let last = sections.indices.last, sections[last].lanes == lanes {
            sections[last].removed.append(removed)
        } else {
            sections.append(Section(lanes: lanes, removed: [removed]))
        }
    }

    /// What waited for no other posts than those in these lanes, which have left.
    mutating func take(waitingFor lanes: UInt64) -> [Removed] {
        var free: [Removed] = []
        var kept: [Section] = []
        // Moved out from the end, as a section that is looked at where it stands would be copied when it changes.
        while var section = sections.popLast() {
            section.lanes &= ~lanes
            if section.lanes == 0 {
                free.absorb(&section.removed)
            } else if let last = kept.indices.last, kept[last].lanes == section.lanes {
                kept[last].removed.absorb(&section.removed)
            } else {
                kept.append(section)
            }
        }
        sections = kept.reversed()
        return free
    }
}

extension [Removed] {
    /// Takes over what is in another array, in whatever order, and leaves that one with the smaller of the two. The larger one is
    /// kept, so a thing is moved no more often than the logarithm of their number.
    fileprivate mutating func absorb(_ other: inout [Removed]) {
        if other.count > count { swap(&self, &other) }
        append(contentsOf: other)
    }
}
