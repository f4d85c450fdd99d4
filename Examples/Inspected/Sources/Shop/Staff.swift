import Synchronization
import Tidings

/// Takes ordered items from the stock and posts the change. The warehouse keeps up with the orders.
actor Warehouse {
    private let center: NativeNotificationCenter
    private let audit: MessageBus<AuditMessage>
    private var stock: [String: Int] = [:]

    init(_ center: NativeNotificationCenter, _ audit: MessageBus<AuditMessage>) {
        self.center = center
        self.audit = audit
        center.addObserver(self, on: .actor, for: OrderPlaced.self) { me, order in me.take(order) }
    }

    private func take(_ order: OrderPlaced) {
        let remaining = stock[order.item, default: 1000] - 1
        stock[order.item] = remaining
        center.post(StockChanged(item: order.item, remaining: remaining))
        audit.dispatch(.stockTaken(order: order.number))
    }
}

/// Writes bills. Orders are queued for it while its door is closed.
actor Accounts {
    private let door: Door
    private let pace: Duration
    private let center: NativeNotificationCenter

    init(_ center: NativeNotificationCenter, _ door: Door, pace: Duration) {
        self.door = door
        self.pace = pace
        self.center = center
        center.addObserver(self, on: .actor, for: OrderPlaced.self) { me, order in await me.bill(order) }
    }

    private func bill(_ order: OrderPlaced) async {
        await door.pass()
        if pace > .zero { try? await Task.sleep(for: pace) }
        center.post(OrderPaid(number: order.number))
    }
}

/// Collects orders when the van is there. Orders are queued while the gate is closed.
actor Courier {
    private let gate: Door
    private var taken = 0

    init(_ center: NativeNotificationCenter, _ gate: Door) {
        self.gate = gate
        center.addObserver(self, on: .actor, for: OrderPlaced.self) { me, _ in await me.take() }
    }

    private func take() async {
        await gate.pass()
        taken += 1
    }
}

/// Counts page views. Only the last few are buffered. The others are dropped.
actor Recommendations {
    private let door: Door
    private let pace: Duration
    private var views = 0

    init(_ center: NativeNotificationCenter, _ door: Door, pace: Duration) {
        self.door = door
        self.pace = pace
        center.addObserver(self, on: .actor, for: PageViewed.self, buffering: .latest(50)) { me, _ in await me.count() }
    }

    private func count() async {
        await door.pass()
        if pace > .zero { try? await Task.sleep(for: pace) }
        views += 1
    }
}

actor AuditLog: MessageConsumer {
    private var count = 0
    func consume(_ message: AuditMessage) { count += 1 }
}

/// The stock as customers see it. Its observer is called during the post.
final class Shelf: Sendable {
    private let changes = Atomic(0)

    init(_ center: NativeNotificationCenter) {
        center.addObserver(self, for: StockChanged.self) { me, _ in me.changes.add(1, ordering: .relaxed) }
    }
}

/// A door at which observers wait while it is closed.
actor Door {
    private var isOpen = true
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func pass() async {
        if !isOpen { await withCheckedContinuation { waiting.append($0) } }
    }

    func close() { isOpen = false }

    func open() {
        isOpen = true
        for continuation in waiting { continuation.resume() }
        waiting = []
    }
}
