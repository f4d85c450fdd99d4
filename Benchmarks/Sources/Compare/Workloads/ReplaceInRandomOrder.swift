import CMachine
import Tidings

/// With a million observers, accesses to memory outside the caches take most of the time. Tidings is therefore compared
/// with code that only frees and creates objects of the same sizes as an observer's objects, in the same order.
extension Workload {
    static let replaceInRandomOrder = Workload(
        name: "replace in random order", parameterName: "observers", unit: .nanoseconds(per: "observer")
    ) {
        var generator = RepeatableGenerator()
        let order = (0..<1_000_000).shuffled(using: &generator)
        return [.observers(in: order), .objects(in: order)]
    }
}

extension Contender {
    @MainActor
    fileprivate static func observers(in order: [Int]) -> Contender {
        let center = NativeNotificationCenter()
        return replacer(.tidings, in: order) { index in
            center.addObserver(for: Ping.self) { $0.sink.add(index) }
        } verify: {
            let sink = Sink()
            center.post(Ping(sink: sink))
            try Miscount.check(.tidings, sink.take(), order.reduce(0, +))
        }
    }

    /// A token and a closure of the same sizes as those of an observer.
    private struct Objects {
        let token: ManagedBuffer<Void, UInt8>
        let handler: @Sendable (Ping) -> Void
    }

    @MainActor
    fileprivate static func objects(in order: [Int]) -> Contender {
        let size = Heap.size(of: NativeNotificationCenter().addObserver(for: Ping.self) { _ in })
        return replacer(.bareObjects, in: order) { index in
            Objects(token: Heap.object(ofSize: size), handler: { $0.sink.add(index) })
        } verify: {
        }
    }

    @inline(__always)
    @MainActor
    private static func replacer<Thing>(
        _ subject: Subject, in order: [Int], make: @escaping @MainActor (Int) -> Thing,
        verify: @escaping @MainActor () throws -> Void
    ) -> Contender {
        var things = order.indices.map(make)
        var next = 0
        return Contender(subject: subject, parameter: order.count) { count in
            Sample.onThread {
                for _ in 0..<count {
                    things[order[next]] = make(order[next])
                    next = next + 1 == order.count ? 0 : next + 1
                }
            }
        } finish: {
            try verify()
        }
    }
}
