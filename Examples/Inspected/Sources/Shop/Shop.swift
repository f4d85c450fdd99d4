import Tidings

/// The shop, with all observers and the sources of their notifications.
final class Shop: Sendable {
    let center = NativeNotificationCenter()
    let audit = MessageBus<AuditMessage>()
    let door = Door()
    private let gate = Door()
    private let staff: [any Sendable]
    private let tokens: [NotificationToken]

    /// - Parameter isSlow: Whether accounts and recommendations take some time for each notification.
    init(isSlow: Bool) {
        let log = AuditLog()
        audit.add(log)
        staff = [
            log, Warehouse(center, audit), Accounts(center, door, pace: isSlow ? .milliseconds(6) : .zero),
            Recommendations(center, door, pace: isSlow ? .milliseconds(30) : .zero), Courier(center, gate),
            Shelf(center),
        ]
        tokens = [
            // The branch at the harbour only observes its own orders.
            center.addObserver(for: OrderPlaced.self, sender: .harbour) { _ in },
            center.addObserver(on: .task, for: OrderPaid.self) { _ in },
        ]
    }

    func order(_ number: Int) {
        center.post(
            OrderPlaced(sender: number % 3 == 0 ? .harbour : .station, number: number, item: "item \(number % 7)"))
    }

    func view(_ page: Int) { center.post(PageViewed(page: page)) }

    /// Simulates a day: about 200 orders a second, a burst now and then, and even more page views.
    func openAllDay() async {
        var number = 0
        for round in 0... {
            for _ in 0..<(5 + round % 400 / 80) { view(number) }
            for _ in 0..<(round % 1500 == 500 ? 1500 : 2) {
                number += 1
                order(number)
            }
            // The van leaves, and returns after some seconds.
            if round % 2400 == 300 { await gate.close() } else if round % 2400 == 1000 { await gate.open() }
            // A visitor looks at the shelf and leaves.
            if round % 300 == 0 { center.addObserver(for: StockChanged.self) { _ in }.cancel() }
            try? await Task.sleep(for: .milliseconds(10))
        }
    }
}
