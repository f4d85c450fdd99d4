import Tidings

/// Groups the observers by source line, and their owners by type, to find leaks.
struct GroupBook: Sendable {
    fileprivate struct Key: Hashable {
        let center, type, place, delivery: String
    }

    struct Known: Sendable {
        let number: Int
        fileprivate let key: Key
        /// The group's row before any observer is added to it.
        fileprivate let empty: InspectorSnapshot.Group
        var row: InspectorSnapshot.Group
        var growth = Growth()
        var waiting = Meter()
        /// The types of owners, at most two, and some of the senders. The values for observers that have ended remain.
        var owners: Set<String> = []
        var senders: Set<String> = []
    }

    struct Owners: Sendable {
        var alive: [String: Int] = [:]
        var growth = Growth()
    }

    struct Leak {
        let id, center, text: String
        let place: String?
    }

    private static let mostOwnerTypes = 100
    fileprivate static let mostSenders = 8

    private var numbers: [Key: Int] = [:]
    private(set) var groups: [Int: Known] = [:]
    private(set) var owners: [String: Owners] = [:]
    private var lastNumber = 0

    mutating func add(_ row: InspectorSnapshot.Observer) -> Int {
        let key = Key(center: row.center, type: row.type, place: row.place, delivery: row.delivery)
        let number: Int
        if let known = numbers[key] {
            number = known
        } else {
            lastNumber += 1
            number = lastNumber
            numbers[key] = number
            let empty = InspectorSnapshot.Group(
                id: "g\(number)", center: row.center, type: row.type, place: row.place, delivery: row.delivery,
                count: 0, isGrowing: false, seen: row.seen, waiting: 0, dropped: 0, calls: 0, refused: 0, failed: 0,
                retrying: 0, running: 0, stuck: 0)
            groups[number] = Known(number: number, key: key, empty: empty, row: empty)
        }
        groups[number]?.growth.add(1)
        if let type = row.owner?.withoutAddress, groups[number]?.owners.count ?? 9 < 2 {
            groups[number]?.owners.insert(type)
        }
        if let sender = row.sender?.withoutAddress, groups[number]?.senders.count ?? .max <= Self.mostSenders {
            groups[number]?.senders.insert(String(sender.prefix(60)))
        }
        if let since = row.since {
            let first = groups[number]?.row.since
            groups[number]?.row.since = first.map { min($0, since) } ?? since
        }
        if let owner = row.owner { addOwner(owner, 1) }
        return number
    }

    mutating func remove(_ row: InspectorSnapshot.Observer, from number: Int) {
        groups[number]?.growth.add(-1)
        if let owner = row.owner { addOwner(owner, -1) }
        guard let known = groups[number], known.growth.count == 0 else { return }
        groups[number] = nil
        numbers[known.key] = nil
    }

    private mutating func addOwner(_ owner: String, _ change: Int) {
        let type = owner.withoutAddress
        // The value is removed from `owners` while it changes, so that its dictionary isn't copied.
        var known = owners.removeValue(forKey: type) ?? Owners()
        let count = (known.alive[owner] ?? 0) + change
        if count == change, change > 0 { known.growth.add(1) }
        if count <= 0 { known.growth.add(-1) }
        known.alive[owner] = count > 0 ? count : nil
        if !known.alive.isEmpty { owners[type] = known }
    }

    mutating func note(_ observers: some Sequence<ObserverRow>, at time: Double) {
        var rows = groups.mapValues(\.empty)
        for observer in observers { rows[observer.group]?.add(observer.row) }
        for (number, row) in rows { groups[number]?.note(row, at: time) }
        for type in owners.keys { owners[type]?.growth.note(at: time) }
    }

    var ownerTypes: [InspectorSnapshot.OwnerType] {
        let all = owners.map { type, known in
            InspectorSnapshot.OwnerType(
                type: type, count: known.growth.count, growth: known.growth.rate, isGrowing: known.growth.isGrowing)
        }
        let sorted = all.sorted { lhs, rhs in
            if lhs.isGrowing != rhs.isGrowing { return lhs.isGrowing }
            return lhs.count == rhs.count ? lhs.type < rhs.type : lhs.count > rhs.count
        }
        return Array(sorted.prefix(Self.mostOwnerTypes))
    }

    /// An entry for each growing group and each growing type of owner.
    var leaks: (groups: [Leak], owners: [Leak]) {
        let groups = groups.values.filter { $0.growth.isGrowing }.map { known in
            let (count, time) = known.growth.grown
            return Leak(
                id: known.row.id, center: known.row.center,
                text: "\(known.row.count) observers were registered from one line, \(count) of them in the last "
                    + "\(time.roundedSeconds), and none has ended: \(known.row.type), \(known.row.delivery), "
                    + "registered at \(known.row.place)",
                place: known.row.place)
        }
        let owners = owners.filter { $0.value.growth.isGrowing }.map { type, known in
            let (count, time) = known.growth.grown
            return Leak(
                id: type, center: "",
                text: "\(known.growth.count) objects of the type \(type) own observers, \(count) more than "
                    + "\(time.roundedSeconds) ago, and none has been released",
                place: nil)
        }
        return (groups, owners)
    }
}

extension GroupBook.Known {
    fileprivate mutating func note(_ new: InspectorSnapshot.Group, at time: Double) {
        growth.note(at: time)
        waiting.note(new.waiting, at: time)
        let since = row.since
        row = new
        row.since = since
        row.count = growth.count
        row.growth = growth.rate
        row.isGrowing = growth.isGrowing
        row.waitingGrowth = waiting.rate
        if growth.count > 1 {
            row.observer = nil
            row.name = nil
            row.owner = owners.count == 1 ? owners.first : nil
            let named = senders.sorted().prefix(GroupBook.mostSenders).joined(separator: ", ")
            row.sender = senders.isEmpty ? nil : (senders.count > GroupBook.mostSenders ? named + ", …" : named).plain
        }
    }
}

extension InspectorSnapshot.Group {
    fileprivate mutating func add(_ observer: InspectorSnapshot.Observer) {
        if self.observer == nil {
            (name, group, intendsDrops) = (observer.name, observer.group, observer.intendsDrops)
        } else {
            if group != observer.group { group = nil }
            if intendsDrops != observer.intendsDrops { intendsDrops = nil }
        }
        self.observer = observer.id
        (owner, sender) = (observer.owner, observer.sender)
        waiting += observer.waiting
        dropped += observer.dropped
        running += observer.running ? 1 : 0
        stuck += observer.stuck
        runningFor = Self.larger(runningFor, observer.runningFor)
        oldestWait = Self.larger(oldestWait, observer.oldestWait)
        stuckFor = Self.larger(stuckFor, observer.stuckFor)
        busy = Self.larger(busy, observer.busy)
        calls = Self.sum(calls, observer.calls)
        if let more = observer.callsPerSecond { callsPerSecond = (callsPerSecond ?? 0) + more }
        refused = Self.sum(refused, observer.refused)
        failed = Self.sum(failed, observer.failed)
        retrying = Self.sum(retrying, observer.retrying)
        if let more = observer.neverCalled { neverCalled = (neverCalled ?? 0) + more }
    }

    /// Returns `nil` if one of the numbers is unknown.
    private static func sum(_ lhs: Int?, _ rhs: Int?) -> Int? {
        guard let lhs, let rhs else { return nil }
        return lhs + rhs
    }

    private static func larger(_ lhs: Double?, _ rhs: Double?) -> Double? {
        guard let lhs, let rhs else { return lhs ?? rhs }
        return max(lhs, rhs)
    }
}

extension String {
    var withoutAddress: String {
        guard hasSuffix(")"), let open = lastIndex(of: "("), self[open...].hasPrefix("(0x") else { return self }
        return String(self[..<open].dropLast())
    }
}
