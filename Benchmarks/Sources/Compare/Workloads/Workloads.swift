import Foundation

extension Workload {
    /// Without a filter, returns all workloads. `curves` adds the workloads without bars.
    static func matching(_ filters: [String], curves: Bool) -> [Workload] {
        (held + (curves ? observerCurve + [threadCurve] : [])).filter { workload in
            filters.isEmpty || filters.contains { workload.name.localizedCaseInsensitiveContains($0) }
        }
    }

    /// The workloads with bars. The heap comes first, because the allocator reuses the freed blocks of other workloads,
    /// even if they are larger than necessary.
    static let held: [Workload] = [
        heapPerObserver, heapAllocations, everydayAllocations,
        post, everydayPost, oneSender, otherPosts, twoThreads, churn,
        addAndCancel, replaceInRandomOrder,
        filteredObservers, manyTypes, unmonitoredPost, monitoredPost, inspectedPost, followedPost, inspectedBursts,
        postsInACycle,
        monitoredActor,
        decodeKeyboard,
        actorBurst, queueBurst, sequence, bus, smallBursts, smallBurstLatency,
    ]
}
