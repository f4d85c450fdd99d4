#if Metrics
    import CoreMetrics
    import Tidings

    final class AgeGauges: Sendable {
        /// The values of an observer's dimensions.
        private typealias Name = [String]

        private struct Work {
            var call = Duration.zero
            var wait = Duration.zero
            var stored: Int?

            static func + (one: Work, other: Work) -> Work {
                var sum = Work(call: max(one.call, other.call), wait: max(one.wait, other.wait))
                if one.stored != nil || other.stored != nil { sum.stored = (one.stored ?? 0) + (other.stored ?? 0) }
                return sum
            }

            var ended: Work { Work(stored: stored.map { _ in 0 }) }
        }

        private let instruments: Instruments

        /// The work that was reported for each attachment of a monitor to a center. Observers of several attachments
        /// can have the same dimensions.
        private let seen = Lock<[ObjectIdentifier: [Name: Work]]>([:])

        init(_ instruments: Instruments) { self.instruments = instruments }

        func note(_ calls: [CallUnderWay], of attachment: ObjectIdentifier) {
            var new: [Name: Work] = [:]
            for call in calls where !call.observer.delivery.isInPost {
                let work = Work(
                    call: call.calls.isOneCall ? call.calls.turnDuration ?? .zero : .zero,
                    wait: max(call.calls.oldestWait ?? .zero, call.calls.scheduledDuration ?? .zero),
                    stored: call.isStored ? call.queued : nil)
                let name = ObserverDescription?.some(call.observer).labels.map(\.1)
                new[name] = (new[name] ?? Work()) + work
            }
            // Work that has ended is recorded once more, as zero, and then forgotten.
            let (own, recorded) = seen.withLock { [new] seen in
                var all = (seen.removeValue(forKey: attachment) ?? [:]).mapValues(\.ended)
                if !new.isEmpty { seen[attachment] = new }
                let own = Set(all.keys).union(new.keys)
                for work in seen.values { all.merge(work) { $0 + $1 } }
                return (own, all)
            }
            // When the maximum number of metric series has been reached, further observers share a gauge, even if their
            // dimensions differ. A gauge is skipped if it only shows work of other attachments, because that work may
            // have ended in the meantime.
            var gauges: [ObjectIdentifier: (gauge: Gauge, value: Double, isOwn: Bool)] = [:]
            for (name, work) in recorded {
                let labels = Array(zip(["notification", "delivery", "observer", "group"], name))
                func add(_ label: String, _ value: Double, _ combine: (Double, Double) -> Double) {
                    let gauge = instruments.gauge(label, labels)
                    let known = gauges[ObjectIdentifier(gauge)]
                    gauges[ObjectIdentifier(gauge)] = (
                        gauge, known.map { combine($0.value, value) } ?? value,
                        known?.isOwn == true || own.contains(name)
                    )
                }
                add("tidings.call.age", work.call / .seconds(1)) { max($0, $1) }
                add("tidings.queue.age", work.wait / .seconds(1)) { max($0, $1) }
                if let stored = work.stored { add("tidings.queue.stored", Double(stored)) { $0 + $1 } }
            }
            // No lock is held here, because the gauges are foreign code. If two attachments are checked at the same
            // moment, a shared gauge may record the older value last. It then shows that value until the next check.
            for (gauge, value, isOwn) in gauges.values where isOwn { gauge.record(value) }
        }
    }
#endif
