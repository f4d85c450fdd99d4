#if Logging
    import Dispatch
    import Tidings

    /// Detects a blocked cooperative thread pool. A blocked pool delays the checks for slow calls. A thread outside of
    /// the pool measures this delay.
    final class PoolWatch: Sendable {
        private struct State {
            var lastNumber = 0
            /// The number of the latest watch of each attachment.
            var latest: [ObjectIdentifier: Int] = [:]
        }

        private let queue = DispatchQueue(label: "tidings.pool")
        private let state = Lock(State())

        /// Watches the checks for slow calls until `progress` returns `nil`. When the checks are overdue, calls
        /// `report` on a thread outside of the pool, and again each time the delay has doubled.
        func watch(
            _ attachment: ObjectIdentifier, every interval: Duration,
            _ progress: @escaping @Sendable () -> CheckProgress?,
            report: @escaping @Sendable (Duration, [CallUnderWay]) -> Void
        ) {
            // A later watch replaces this one. Otherwise a watch that begins while this one ends would be lost.
            let number = state.withLock { state in
                state.lastNumber += 1
                state.latest[attachment] = state.lastNumber
                return state.lastNumber
            }
            let patience = interval * 4
            check(next: patience)

            @Sendable func check(next: Duration) {
                queue.asyncAfter(deadline: .now() + interval / .seconds(1)) { [self] in
                    guard state.withLock({ $0.latest[attachment] == number }) else { return }
                    guard let reached = progress() else {
                        return state.withLock { if $0.latest[attachment] == number { $0.latest[attachment] = nil } }
                    }
                    let delay = Duration.nanoseconds(Moment.now - reached.last)
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
