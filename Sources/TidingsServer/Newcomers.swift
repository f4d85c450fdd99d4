#if Metrics
    import Tidings

    final class Newcomers: Sendable {
        enum Step {
            case first
            /// The post at which an observer is reported if no notification has reached it. Later posts aren't counted.
            case last
        }

        private struct Newcomer: Sendable {
            let observer: ObserverDescription
            var posts = 0
            var isOld = false

            mutating func notePost(at now: ContinuousClock.Instant) -> Step? {
                posts += 1
                if posts == 1 { return .first }
                let age = observer.registeredAt.map { $0.duration(to: now) } ?? .zero
                isOld = posts >= Newcomers.fewest.posts && age >= Newcomers.fewest.time
                return isOld ? .last : nil
            }
        }

        private static let fewest = (posts: 10, time: Duration.seconds(5))
        private static let most = 1000
        private let now: @Sendable () -> ContinuousClock.Instant
        private let waiting = Lock<[NotificationSubject: [Newcomer]]>([:])

        /// A relaxed load suffices: if a post doesn't see a new observer, a later post does.
        private let hasAny = AtomicByte(false)

        init(now: @escaping @Sendable () -> ContinuousClock.Instant) { self.now = now }

        func add(_ observer: ObserverDescription) {
            waiting.withLock { waiting in
                if waiting[observer.subject, default: []].count < Self.most {
                    waiting[observer.subject, default: []].append(Newcomer(observer: observer))
                }
                hasAny.store(true, ordering: .relaxed)
            }
        }

        func remove(_ observer: ObserverDescription) {
            guard hasAny.load(ordering: .relaxed) else { return }
            waiting.withLock { waiting in
                waiting[observer.subject]?.removeAll { $0.observer.id == observer.id }
                removeEmpty(observer.subject, from: &waiting)
            }
        }

        @inline(__always)
        func notePost(of subject: NotificationSubject, _ body: (ObserverDescription, Step) -> Void) {
            if hasAny.load(ordering: .relaxed) {
                for (observer, step) in notePost(of: subject) { body(observer, step) }
            }
        }

        @inline(never)
        private func notePost(of subject: NotificationSubject) -> [(ObserverDescription, Step)] {
            let now = now()
            return waiting.withLock { waiting in
                // The array is removed from the dictionary before it changes. Otherwise, the change would copy the
                // array.
                guard var newcomers = waiting.removeValue(forKey: subject) else { return [] }
                var steps: [(ObserverDescription, Step)] = []
                for index in newcomers.indices {
                    if let step = newcomers[index].notePost(at: now) { steps.append((newcomers[index].observer, step)) }
                }
                if steps.contains(where: { $0.1 == .last }) { newcomers.removeAll(where: \.isOld) }
                waiting[subject] = newcomers
                removeEmpty(subject, from: &waiting)
                return steps
            }
        }

        private func removeEmpty(
            _ subject: NotificationSubject, from waiting: inout [NotificationSubject: [Newcomer]]
        ) {
            if waiting[subject]?.isEmpty == true { waiting[subject] = nil }
            if waiting.isEmpty { hasAny.store(false, ordering: .relaxed) }
        }
    }
#endif
