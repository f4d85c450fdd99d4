import Foundation

extension Workload {
    /// Returns the workloads whose names contain a filter, or all workloads if there are no filters. `curves` adds the
    /// workloads without limits.
    static func matching(_ filters: [String], curves: Bool) -> [Workload] {
        (held + (curves ? observerCurve + [threadCurve] : [])).filter { workload in
            filters.isEmpty || filters.contains { workload.name.localizedCaseInsensitiveContains($0) }
        }
    }

    /// The workloads with limits. The workloads that measure the heap come first. After other workloads, the allocator
    /// would reuse the blocks that those have freed, even if the blocks are larger than necessary.
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
