import Foundation
import Tidings
import TidingsFoundation

/// The shop during an incident. Most of its observers have a problem that would alert an engineer on call. A thread
/// makes the posts, so the posts continue while the cooperative pool is blocked.
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
            // Slow: the till is busy nearly all the time, and orders are queued for it.
            center.addObserver(on: .queue(till.queue), for: OrderPlaced.self) { [till] _ in till.bill() },
            // Never called because of its sender: all orders of the night come from the station.
            center.addObserver(for: OrderPlaced.self, sender: .harbour) { _ in },
            // Never called because of its condition: no order has a negative number.
            center.addObserver(for: OrderPlaced.self, where: { $0.number < 0 }) { _ in },
        ]
    }

    /// Starts the incident. If `isBlocked` is true, every thread of the cooperative pool is blocked soon after the
    /// start.
    func begin(isBlocked: Bool) {
        // Stuck: the courier takes this order before the other orders are posted, and never returns.
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

    /// Blocks every thread of the pool, like a library that waits synchronously in a task for another task.
    private func blockPool() {
        for _ in 0..<ProcessInfo.processInfo.activeProcessorCount { Task.detached { sleepForEver() } }
    }
}

private func sleepForEver() { while true { Thread.sleep(forTimeInterval: 3600) } }

/// Writes bills, more slowly than orders arrive.
private final class Till: Sendable {
    let queue = OperationQueue()
    func bill() { Thread.sleep(forTimeInterval: 0.3) }
}

/// Takes the first order, and never returns.
private actor LostCourier {
    private nonisolated let departure = DispatchSemaphore(value: 0)
    nonisolated var hasSetOut: Bool { departure.wait(timeout: .now()) == .success }

    init(_ center: NativeNotificationCenter) {
        center.addObserver(self, on: .actor, for: OrderPlaced.self) { me, _ in await me.take() }
    }

    private func take() async {
        departure.signal()
        await withCheckedContinuation { (lost: CheckedContinuation<Void, Never>) in
            // The continuation is stored, so that the runtime doesn't report a leak.
            Self.lost.withLock { $0.append(lost) }
        }
    }

    private static let lost = LockedContinuations()
}

private final class LockedContinuations: @unchecked Sendable {  // its only variable is used while the lock is held
    private let lock = NSLock()
    private var all: [CheckedContinuation<Void, Never>] = []

    func withLock(_ body: (inout [CheckedContinuation<Void, Never>]) -> Void) { lock.withLock { body(&all) } }
}

/// Posts a notification for each order, so that one post causes another.
private final class NightShelf: Sendable {
    init(_ center: NativeNotificationCenter) {
        center.addObserver(self, for: OrderPlaced.self) { [weak center] _, order in
            center?.post(StockChanged(item: order.item, remaining: 1000 - order.number))
        }
        center.addObserver(self, for: StockChanged.self) { _, _ in }
    }
}

/// Leaks visitors, so that their observers are never cancelled.
private final class LeakedVisitors: @unchecked Sendable {  // used only on the thread that `begin` starts
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
