import Tidings

/// Compares a center that never had a monitor with a center whose monitor was detached. A post has to take the same
/// time in both.
extension Workload {
    static let unmonitoredPost = Workload(
        name: "post without a monitor", parameterName: "observers", unit: .nanoseconds(per: "post")
    ) {
        [0, 1, 10].flatMap { observers in
            [Subject.tidings, .tidings.with("after a monitor")].map { subject in
                let center = NativeNotificationCenter()
                if subject != .tidings { center.attach(Silent()).detach() }
                let signal = TidingsCenter(center: center)
                signal.add(handlers: observers)
                return .poster(subject, parameter: observers, signal, observers: observers)
            }
        }
    }
}

private struct Silent: NotificationMonitor {
    func receive(_ event: NotificationEvent) {}
}
