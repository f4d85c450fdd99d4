package import Tidings
package import TidingsTesting

package final class RecordingMonitor: NotificationMonitor {
    package let events = ReceivedValues<NotificationEvent>()
    private let reaction: @Sendable (NotificationEvent) -> Void
    private let keepsWhatTakesLong: Bool

    /// Creates a monitor that calls `reaction` with each event. If `keepsWhatTakesLong` is true, the monitor also
    /// records warnings about durations. Any test can cause such warnings on a busy machine.
    package init(
        keepsWhatTakesLong: Bool = false, reaction: @escaping @Sendable (NotificationEvent) -> Void = { _ in }
    ) {
        self.keepsWhatTakesLong = keepsWhatTakesLong
        self.reaction = reaction
    }

    package func receive(_ event: NotificationEvent) {
        if !keepsWhatTakesLong, case .warning(let warning) = event {
            switch warning {
            case .slowCall, .stalledQueue, .callRecovered: return
            default: break
            }
        }
        events.append(event)
        reaction(event)
    }

    package var words: [String] { events.values.map(\.words) }

    package var posts: [NotificationPost] {
        events.values.compactMap { if case .posted(let post) = $0 { post } else { nil } }
    }

    package var deliveries: [NotificationDelivery] {
        events.values.compactMap { if case .delivered(let delivery) = $0 { delivery } else { nil } }
    }

    package var warnings: [ObserverWarning] {
        events.values.compactMap { if case .warning(let warning) = $0 { warning } else { nil } }
    }

    package var failures: [NotificationFailure] {
        events.values.compactMap { if case .failed(let failure) = $0 { failure } else { nil } }
    }
}

extension NotificationEvent {
    package var words: String {
        switch self {
        case .registered: "registered"
        case .ended: "ended"
        case .posted(let post): "posted to \(post.observers)"
        case .queued(_, let waiting): "queued \(waiting)"
        case .delivered(let delivery): "delivered \(delivery.observer.delivery)"
        case .dropped(_, let total): "dropped \(total)"
        case .failed(let failure): "failed: \(failure.kind)"
        case .warning(let warning): "warning: \(warning)"
        @unknown default: "something else"
        }
    }
}
