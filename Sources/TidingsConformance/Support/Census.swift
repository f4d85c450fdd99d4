import Synchronization

/// Counts objects that are alive, to see what a center retains and when it lets go.
package final class Census: Sendable {
    private let count = Atomic(0)

    package init() {}

    /// How many objects of this census are alive.
    package var alive: Int { count.load(ordering: .acquiring) }

    /// Makes an object that is counted until it is deinitialised.
    package func member() -> Member { Member(of: self) }

    /// An object that is counted for as long as it is alive.
    package final class Member: Sendable {
        private let census: Census

        fileprivate init(of census: Census) {
            self.census = census
            census.count.add(1, ordering: .acquiringAndReleasing)
        }

        deinit { census.count.subtract(1, ordering: .acquiringAndReleasing) }

        /// Uses the object, so that a closure that calls this captures it.
        package func touch() {}
    }
}
