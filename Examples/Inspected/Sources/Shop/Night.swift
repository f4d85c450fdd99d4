import Foundation
import Tidings
import TidingsFoundation

/// The shop in a bad night: each of its observers is what somebody is woken for.
///
/// Its posts are made by a thread, so they go on while no task does.
final class Night: Sendable {
    let center = NativeNotificationCenter()
    private let till = Till()
    private let courier: LostCourier
    private let shelf: NightShelf
    private let leaked = LeakedVisitors()
    private let tokens: [NotificationToken]

    init() {
        courier = LostCourier(center)
        shelf = NightShelf(center)
        tokens = [
            // Slow: it is busy nearly all the time, and orders wait for it.
            center.addObserver(on: .queue(till.queue), for: OrderPlaced.self) { [till] _ in till.bill() },
            // Never called because of its sender: all orders of the night come from the station.
            center.addObserver(for: OrderPlaced.self, sender: .harbour) { _ in },
            // Never called because of its condition: nobody orders as much.
            center.addObserver(for: OrderPlaced.self, where: { $0.number < 0 }) { _ in },
        ]
    }

    /// Begins the night.
    ///
    /// - Parameter isBlocked: Whether every thread of the cooperative pool is blocked soon after the beginning.
    func begin(isBlocked: Bool) {
        // Stuck: the courier has set out before anybody looks, and does not come back.
        center.post(OrderPlaced(sender: .station, number: 0, item: "tea"))
        let courier = courier
        Thread.detachNewThread { [self] in
            while !courier.hasSetOut { Thread.sleep(forTimeInterval: 0.01) }
            if isBlocked { blockPool() }
            for number in 1... {
                leaked.add(to: center)
                center.post(OrderPlaced(sender: .station, number: number, item: "item \(number % 7)"))
                Thread.sleep(forTimeInterval: 0.25)
            }
        }
    }

    /// Takes every thread of the pool, as a library does that waits in a task for what another task does.
    private func blockPool() {
        for _ in 0..<ProcessInfo.processInfo.activeProcessorCount { Task.detached { sleepForEver() } }
    }
}

private func sleepForEver() { while true { Thread.sleep(forTimeInterval: 3600) } }

/// Writes bills, slower than orders come.
private final class Till: Sendable {
    let queue = OperationQueue()
    func bill() { Thread.sleep(forTimeInterval: 0.3) }
}

/// Takes away the first order, and never comes back for the next.
private actor LostCourier {
    private nonisolated let departure = DispatchSemaphore(value: 0)
    nonisolated var hasSetOut: Bool { departure.wait(timeout: .now()) == .success }

    init(_ center: NativeNotificationCenter) {
        center.addObserver(self, on: .actor, for: OrderPlaced.self) { me, _ in await me.take() }
    }

    private func take() async {
        departure.signal()
        await withCheckedContinuation { (lost: CheckedContinuation<Void, Never>) in
            // Kept, so that nothing says that it was forgotten.
            Self.lost.withLock { $0.append(lost) }
        }
    }

    private static let lost = LockedContinuations()
}

/// Continuations that nobody resumes.
private final class LockedContinuations: @unchecked Sendable {  // its only variable is used while the lock is held
    private let lock = NSLock()
    private var all: [CheckedContinuation<Void, Never>] = []

    func withLock(_ body: (inout [CheckedContinuation<Void, Never>]) -> Void) { lock.withLock { body(&all) } }
}

/// Puts aside what is ordered, in the post, and says so: a post that leads to another one.
private final class NightShelf: Sendable {
    init(_ center: NativeNotificationCenter) {
        center.addObserver(self, for: OrderPlaced.self) { [weak center] _, order in
            center?.post(StockChanged(item: order.item, remaining: 1000 - order.number))
        }
        center.addObserver(self, for: StockChanged.self) { _, _ in }
    }
}

/// Leaks: visitors who look at the shelf, and whose observers are never ended.
private final class LeakedVisitors: @unchecked Sendable {  // used by the thread of the night alone
    private final class Visitor: Sendable {}
    private var visitors: [Visitor] = []

    func add(to center: NativeNotificationCenter) {
        for _ in 0..<4 {
            let visitor = Visitor()
            visitors.append(visitor)
            center.addObserver(visitor, for: StockChanged.self) { _, _ in }
        }
    }
}
