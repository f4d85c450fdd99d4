package protocol Ranked {
    var type: String { get }
    var place: String { get }
    var center: String { get }
    var delivery: String { get }
    var name: String? { get }
    var owner: String? { get }
    var sender: String? { get }
    var since: Double? { get }
    var seen: Double { get }
    var count: Int { get }
    /// For a group, the growth of its number of observers. For an observer, the growth of its queue.
    var growth: Double? { get }
    var isGrowing: Bool { get }
    var waiting: Int { get }
    var waitingGrowth: Double? { get }
    var dropped: Int { get }
    var droppedPerSecond: Double? { get }
    var intendsDrops: Bool? { get }
    var failed: Int? { get }
    var retrying: Int? { get }
    var neverCalled: Int? { get }
    var calls: Int? { get }
    var callsPerSecond: Double? { get }
    var callTimes: InspectorSnapshot.Times? { get }
    var stuck: Int { get }
    var runningFor: Double? { get }
    var oldestWait: Double? { get }
    var stuckFor: Double? { get }
    var busy: Double? { get }
}

extension InspectorSnapshot.Group: Ranked {
    package var droppedPerSecond: Double? { nil }
}

extension InspectorSnapshot.Observer: Ranked {
    package var count: Int { 1 }
    package var isGrowing: Bool { false }
    package var waitingGrowth: Double? { growth }
    package var neverCalled: Int? { isNeverCalled == true ? 1 : nil }
    package var stuck: Int { isStuck ? 1 : 0 }
}

extension Ranked {
    /// The severity of the worst problem as a number. The problems that are checked first have the largest numbers.
    package var trouble: Double {
        // An older recording has no `stuckFor`.
        if stuck > 0 { return 1e12 + (stuckFor ?? runningFor ?? oldestWait ?? 0) }
        if isGrowing { return 9e11 }
        if waiting > 1000 { return 8.5e11 + Double(waiting) }
        let failed = (failed ?? 0) + (retrying ?? 0)
        if failed > 0 { return 8e11 + Double(failed) }
        if dropped > 0, intendsDrops != true { return 7e11 + Double(dropped) }
        if neverCalled ?? 0 > 0 { return 6e11 }
        let busy = busy ?? 0
        return busy >= 0.8 ? 5e11 + busy : Double(waiting) + busy
    }
}
