import TestSupport
import Tidings

/// A native center with a monitor that stays attached as long as the center lives.
struct MonitoredCenter: TypedNotificationCenter {
    private struct Silent: NotificationMonitor {
        func receive(_ event: NotificationEvent) {}
    }

    private let base: NativeNotificationCenter
    private let attachment: MonitorAttachment

    init() {
        base = NativeNotificationCenter()
        attachment = base.attach(Silent())
    }

    var underlyingCenter: (any TypedNotificationCenter)? { base }

    func post<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        base.post(notification, from: place)
    }

    func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        base.observe(type, sender: sender, registration: registration, using: observer)
    }
}
