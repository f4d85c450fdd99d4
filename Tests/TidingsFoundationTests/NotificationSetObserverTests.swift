import Foundation
import Testing
import TidingsFoundation

private enum DiskEvent: String, MainActorNotificationDescriptor {
    case mounted, ejected

    typealias Payload = Int
    var name: Notification.Name { Notification.Name("NotificationSetObserverTests.\(rawValue)") }
}

@MainActor
private protocol DiskObserver: NotificationSetObserver {
    func received(_ event: DiskEvent, disk: Int)
}

extension DiskObserver {
    func registerDiskEvents(_ events: Set<DiskEvent>) {
        registerNotifications(events) { me, event, disk in me.received(event, disk: disk) }
    }

    func deregisterDiskEvents() { deregisterNotifications(DiskEvent.self) }
}

@MainActor
private final class Desktop: DiskObserver, KeyboardNotificationObserver {
    let notificationCenter: NotificationCenter
    var events: [String] = []

    init(_ center: NotificationCenter) { notificationCenter = center }

    func received(_ event: DiskEvent, disk: Int) { events.append("\(event) \(disk)") }

    func receivedKeyboardNotification(_ notification: KeyboardNotification, payload: KeyboardPayload) {
        events.append("\(notification)")
    }
}

@MainActor
@Suite(.timeLimit(.minutes(2))) struct NotificationSetObserverTests {
    private let center = NotificationCenter()

    @Test
    func `a class can register for several sets of notifications, and deregister from each set separately`() throws {
        let desktop = Desktop(center)
        let payload = KeyboardPayload(
            startingFrame: .zero, endingFrame: .zero, animationDuration: 0, animationCurve: .easeIn, isLocal: false)
        desktop.registerDiskEvents([.mounted, .ejected])
        desktop.registerKeyboardNotifications([.willHide])
        try center.post(DiskEvent.mounted, payload: 1)
        try center.post(KeyboardNotification.willHide, payload: payload)
        desktop.deregisterKeyboardNotifications()
        try center.post(KeyboardNotification.willHide, payload: payload)
        try center.post(DiskEvent.ejected, payload: 2)
        desktop.deregisterDiskEvents()
        try center.post(DiskEvent.mounted, payload: 3)
        #expect(desktop.events == ["mounted 1", "willHide", "ejected 2"])
    }

    @Test func `registrations of deallocated observers don't accumulate`() {
        for _ in 0..<20 {
            let desktops = (0..<500).map { _ in Desktop(center) }
            for desktop in desktops { desktop.registerDiskEvents([.mounted]) }
        }
        #expect(RegisteredSets.count < 2_500)
    }

    @Test func `a new observer at the address of a deallocated observer has no registrations`() throws {
        for number in 0..<1_000 {
            let desktop = Desktop(center)
            try center.post(DiskEvent.mounted, payload: number)
            #expect(desktop.events.isEmpty)
            desktop.registerDiskEvents([.mounted])
            try center.post(DiskEvent.mounted, payload: number)
            #expect(desktop.events == ["mounted \(number)"])
        }
    }
}
