#if Logging
    import Dispatch
    import Tidings

    /// Detects a blocked cooperative thread pool. A blocked pool delays the checks for slow calls. A thread outside of
    /// the pool measures this delay.
    final class PoolWatch: Sendable {
        private let queue = DispatchQueue(label: "tidings.pool")
        private let watched = Lock<Set<ObjectIdentifier>>([])

        /// Watches the checks for slow calls until `progress` returns `nil`. When the checks are overdue, calls
        /// `report` on a thread outside of the pool, and again each time the delay has doubled.
        func watch(
            _ attachment: ObjectIdentifier, every interval: Duration,
            _ progress: @escaping @Sendable () -> CheckProgress?,
            report: @escaping @Sendable (Duration, [CallUnderWay]) -> Void
        ) {
            if !watched.withLock({ $0.insert(attachment).inserted }) { return }
            let patience = interval * 4
            check(next: patience)

            @Sendable func check(next: Duration) {
                queue.asyncAfter(deadline: .now() + interval / .seconds(1)) { [self] in
                    guard let reached = progress() else {
                        watched.withLock { _ = $0.remove(attachment) }
                        return
                    }
                    let delay = reached.last.duration(to: .now)
                    var following = delay < patience ? patience : next
                    if delay >= following {
                        report(delay, reached.calls())
                        while delay >= following { following *= 2 }
                    }
                    check(next: following)
                }
            }
        }
    }
#endif
