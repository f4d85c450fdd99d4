public import Foundation
import Synchronization

extension TypedNotificationCenter {
    /// Calls a closure on an operation queue with every notification of a type, asynchronously.
    ///
    /// The closure gets the notifications in the order posted and never runs concurrently with itself, also on a concurrent
    /// queue. The poster never waits for it. What is queued when the token is cancelled is discarded. The queue's
    /// `cancelAllOperations()` loses nothing: only the token ends the observation.
    ///
    /// ```swift
    /// center.addObserver(for: CacheCleared.self, queue: .main) { _ in ... }.store(in: &tokens)
    /// ```
    ///
    /// - Parameters:
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender.
    ///   - queue: The queue.
    ///   - fileID: The file of the call. Leave it out.
    ///   - line: The line of the call. Leave it out.
    ///   - observer: The closure.
    /// - Returns: The token, which is the lifetime of the observation.
    public func addObserver<N: TypedNotification & Sendable>(
        for type: N.Type, sender: N.Sender? = nil, queue: OperationQueue, fileID: StaticString = #fileID,
        line: UInt = #line, using observer: @escaping @Sendable (N) -> Void
    ) -> NotificationToken {
        let delivery = QueueDelivery(schedule: queue.schedule, observer: observer)
        let registration = Registration(fileID: fileID, line: line, delivery: .queue)
        let observation = observe(type, sender: sender, registration: registration, using: delivery.send)
        return QueuedObservation(observation: observation, delivery: delivery).token()
    }
}

extension OperationQueue {
    /// Runs a closure as an operation, and as a new one if that was cancelled before it began.
    @Sendable
    func schedule(_ work: @escaping @Sendable () -> Void) {
        let operation = DeliveryOperation(work)
        operation.completionBlock = { [unowned operation] in
            if !operation.hasBegun { self.schedule(work) }
        }
        addOperation(operation)
    }
}

private final class DeliveryOperation: Operation, @unchecked Sendable {  // a constant and an atomic
    private let work: @Sendable () -> Void
    private let begun = Atomic(false)

    init(_ work: @escaping @Sendable () -> Void) { self.work = work }

    var hasBegun: Bool { begun.load(ordering: .acquiring) }

    override func main() {
        begun.store(true, ordering: .releasing)
        work()
    }
}
