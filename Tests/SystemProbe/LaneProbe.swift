// Runs the parts of the engine that depend on the system: the lanes (which record posts), the lock, the fences and the
// thread variables. These parts are compiled with this program for an unknown system with one thread.

@main struct LaneProbe {
    static func main() {
        let lanes = Lanes.shared
        let channel: UInt = 0x1_0000
        var taken: [Lane] = []
        while let lane = lanes.claim(channel) { taken.append(lane) }
        demand(taken.count == Lanes.capacity, "every lane can be taken by one thread")
        demand(lanes.hasPost(to: channel) && !lanes.hasPost(to: 2 * channel), "a scan sees the posts to a channel")
        taken[0].announce(77)
        demand(Array(lanes.numberedCalls(of: channel).keys) == [77], "a drain sees a call")
        demand(lanes.mark(channel) == .max, "all lanes are marked")
        for lane in taken {
            demand(!lane.leave(channel), "a marked post has to report that it leaves")
            lane.depart(channel)
        }
        demand(lanes.departed(from: channel) == .max, "all posts have departed")
        lanes.clear(.max)
        demand(!lanes.hasPost(to: channel), "no post is left")

        let lock = Lock(1)
        demand(
            lock.withLockIfAvailable {
                $0 += 1; return $0
            } == 2, "a lock that nobody holds is available")
        demand(CallFence.ofDrain(), "a fence can be made")
        Refusal.isNoted = true
        demand(Refusal.isNoted, "a thread variable keeps its value")
        print("lanes, lock and fences work")
    }

    static func demand(_ condition: Bool, _ what: StaticString) {
        if !condition { preconditionFailure() }
    }
}
