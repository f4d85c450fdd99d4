import Dispatch
import Foundation
import Tidings
import TidingsFoundation

/// Compares observers on a queue with code that passes one block per message to the queue. One of the observers can
/// throw an error, but never does.
extension Workload {
    static let queueBurst = Workload(
        name: "queue observer, burst of 10,000", parameterName: "observers", unit: .nanoseconds(per: "delivery"),
        statistic: .least, count: 10_000
    ) {
        [.queueObserver(), .throwingQueueObserver(), .operationQueueObserver(), .blocksOnQueue()]
    }
}

extension Subject {
    static let mayThrow = tidings.with("may throw")
    static let onOperations = tidings.with("on an operation queue")
    static let dispatchAsync = Subject("DispatchQueue.async")
}

extension Bar {
    static let queues = [
        Bar("queue observer, burst of 10,000", 1, .mayThrow, .atMost(1.2), .tidings),
        Bar("queue observer, burst of 10,000", 1, .tidings, .atMost(1), .dispatchAsync),
        Bar("queue observer, burst of 10,000", 1, .onOperations, .atMost(1), .dispatchAsync),
    ]
}

private struct Refused: Error {}

extension Tally {
    /// Never throws, but its callers are compiled as if it could.
    @inline(never)
    fileprivate func addOrThrow() throws {
        if count < 0 { throw Refused() }
        add()
    }
}

extension Contender {
    @MainActor
    private static func observer(
        _ subject: Subject, _ observe: (NativeNotificationCenter, Tally) -> NotificationToken
    ) -> Contender {
        let (center, tally, sink) = (NativeNotificationCenter(), Tally(), Sink())
        let token = observe(center, tally)
        return .burst(subject, to: [tally], keeping: token) { count in
            for _ in 0..<count { center.post(Ping(sink: sink)) }
        }
    }

    @MainActor
    fileprivate static func queueObserver() -> Contender {
        observer(.tidings) { center, tally in
            center.addObserver(on: .queue(DispatchQueue(label: "observer")), for: Ping.self) { _ in tally.add() }
        }
    }

    @MainActor
    fileprivate static func throwingQueueObserver() -> Contender {
        observer(.mayThrow) { center, tally in
            center.addObserver(on: .queue(DispatchQueue(label: "observer")), for: Ping.self) { _ in
                try tally.addOrThrow()
            }
        }
    }

    @MainActor
    fileprivate static func operationQueueObserver() -> Contender {
        observer(.onOperations) { center, tally in
            center.addObserver(on: .queue(OperationQueue()), for: Ping.self) { _ in tally.add() }
        }
    }

    @MainActor
    fileprivate static func blocksOnQueue() -> Contender {
        let (queue, tally) = (DispatchQueue(label: "blocks"), Tally())
        return .burst(.dispatchAsync, to: [tally], keeping: queue) { count in
            for _ in 0..<count { queue.async { tally.add() } }
        }
    }
}
