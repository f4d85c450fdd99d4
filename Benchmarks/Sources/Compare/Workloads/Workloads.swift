import Foundation

/// All workloads, in the order of the table.
extension Workload {
    /// Finds the requested workloads.
    ///
    /// - Parameters:
    ///   - filters: Parts of names, or none for all workloads.
    ///   - curves: Whether to include the workloads that are drawn as curves and have no bar.
    /// - Returns: The workloads.
    static func matching(_ filters: [String], curves: Bool) -> [Workload] {
        (held + (curves ? observerCurve + [threadCurve] : [])).filter { workload in
            filters.isEmpty || filters.contains { workload.name.localizedCaseInsensitiveContains($0) }
        }
    }

    /// The workloads with bars. The heap comes first, because blocks left behind by other workloads make new blocks
    /// larger than necessary.
    static let held: [Workload] = [
        heapPerObserver, heapAllocations, everydayAllocations,
        post, everydayPost, oneSender, otherPosts, twoThreads, churn,
        addAndCancel, replaceInRandomOrder,
        filteredObservers, manyTypes, unmonitoredPost, monitoredPost, inspectedPost, followedPost, postsInACycle,
        monitoredActor,
        decodeKeyboard,
        actorBurst, queueBurst, sequence, bus, smallBursts, smallBurstLatency,
    ]
}
