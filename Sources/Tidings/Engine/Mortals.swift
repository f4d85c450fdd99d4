/// The observers of a channel that end with an owner or a sender, looked at in turn.
///
/// Nothing tells when an object dies, so posts and registrations look. They look at all of them while they are few. When
/// they are many they look at a few each time, so that neither takes longer the more there are, and go on as long as they
/// find dead ones.
struct Mortals {
    private static let few = 16
    private static let atOnce = 4

    private var all: [Mortal] = []
    private var next = 0
    private var dead = 0

    var isEmpty: Bool { all.isEmpty }

    mutating func insert(_ mortal: Mortal) { all.append(mortal) }

    /// Whether others are left to look at when some were.
    var isMany: Bool { all.count - dead > Mortals.few }

    /// Those to look at now.
    mutating func some() -> [Mortal] {
        if !isMany { return all }
        var some: [Mortal] = []
        for _ in 0..<Mortals.atOnce {
            next = next + 1 < all.count ? next + 1 : 0
            some.append(all[next])
        }
        return some
    }

    /// Counts one that was cancelled. When they are the majority they are taken out.
    mutating func noteDeath(_ removed: inout Removed) {
        dead += 1
        guard dead * 2 > all.count else { return }
        removed.parts().mortals = all
        all = all.filter { $0.entry.isLive }
        dead = 0
    }
}

/// An observer that ends with an owner or a sender. It keeps the memory of its entry, not the closure.
final class Mortal: Sendable {
    let entry: Entry
    private let owner: Owner?
    private let roster: Roster

    init(entry: Entry, owner: Owner?, roster: Roster) {
        self.entry = entry
        self.owner = owner
        self.roster = roster
        entry.chunk.retain()
    }

    deinit { entry.chunk.release() }

    /// Whether the entry has been neither cancelled nor met.
    var isLive: Bool { entry.isLive }

    /// Whether both are alive; true also if the entry was cancelled.
    var isAlive: Bool { owner?.isAlive != false && roster.isAlive }
}
