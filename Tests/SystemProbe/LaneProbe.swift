// Runs the parts of the engine that depend on the system: the lanes (slots that record running posts), the lock, the
// fences and the thread variables. These parts are compiled together with this program, for a system that has a single
// thread and for which the package has no specific code.

@main struct LaneProbe {
    static func main() {
        let lanes = Lanes.shared
        let channel: UInt = 0x1_0000
        var taken: [Lane] = []
        while let lane = lanes.claim(channel) { taken.append(lane) }
        demand(taken.count == Lanes.capacity, "one thread can claim every lane")
        demand(lanes.hasPost(to: channel) && !lanes.hasPost(to: 2 * channel), "hasPost(to:) is true for `channel` only")
        taken[0].announce(77)
        demand(Array(lanes.numberedCalls(of: channel).keys) == [77], "numberedCalls(of:) has the announced call")
        demand(lanes.mark(channel) == .max, "all lanes are marked")
        for lane in taken {
            demand(!lane.leave(channel), "leave(_:) returns false for a marked post")
            lane.depart(channel)
        }
        demand(lanes.departed(from: channel) == .max, "departed(from:) contains every lane")
        lanes.clear(.max)
        demand(!lanes.hasPost(to: channel), "no post is left")

        let lock = Lock(1)
        demand(
            lock.withLockIfAvailable {
                $0 += 1; return $0
            } == 2, "a lock that nobody holds is available")
        demand(CallFence.ofDrain(), "ofDrain() returns true")
        Refusal.isNoted = true
        demand(Refusal.isNoted, "a thread variable keeps its value")
        print("lanes, lock and fences work")
    }

    static func demand(_ condition: Bool, _ what: StaticString) {
        if !condition { preconditionFailure() }
    }
}
