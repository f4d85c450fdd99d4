import Foundation

/// Everything that is measured, in the order of the table.
extension Workload {
    /// Finds what was asked for.
    ///
    /// - Parameters:
    ///   - filters: Parts of names; none for everything.
    ///   - curves: Whether to include what is drawn as curves rather than held against bars.
    /// - Returns: The workloads.
    static func matching(_ filters: [String], curves: Bool) -> [Workload] {
        (held + (curves ? observerCurve + [threadCurve] : [])).filter { workload in
            filters.isEmpty || filters.contains { workload.name.localizedCaseInsensitiveContains($0) }
        }
    }

    /// What is held against bars. The heap comes first: what others leave behind makes blocks larger than they need be.
    static let held: [Workload] = [
        heapPerObserver, heapAllocations, everydayAllocations,
        post, everydayPost, oneSender, otherPosts, twoThreads, churn,
        addAndCancel, replaceInRandomOrder,
        filteredObservers, manyTypes, unmonitoredPost, monitoredPost, inspectedPost, followedPost, monitoredActor,
        decodeKeyboard,
        actorBurst, queueBurst, sequence, bus, smallBursts, smallBurstLatency,
    ]
}
