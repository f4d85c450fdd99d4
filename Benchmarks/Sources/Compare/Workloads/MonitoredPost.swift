import Tidings

/// What a monitor that does nothing costs each post, on one thread and on two.
extension Workload {
    static let monitoredPost = Workload(
        name: "post with a monitor", parameterName: "observers", unit: .nanoseconds(per: "post")
    ) {
        [1, 10, 100].flatMap { observers -> [Contender] in
            let (plain, monitored) = (TidingsCenter(), TidingsCenter(center: MonitoredCenter.make()))
            for signal in [plain, monitored] { signal.add(handlers: observers) }
            let alone: [Contender] = [
                .poster(.tidings, parameter: observers, plain, observers: observers),
                .poster(.tidings.with("monitored"), parameter: observers, monitored, observers: observers),
            ]
            guard Machine.runsTwoThreads else { return alone }
            return alone + [
                .racers(.tidings.with("two threads"), parameter: observers, [[plain], [plain]], observers: observers),
                .racers(
                    .tidings.with("monitored, two threads"), parameter: observers, [[monitored], [monitored]],
                    observers: observers),
            ]
        }
    }
}

/// Centers whose monitors stay as long as the program.
@MainActor
private enum MonitoredCenter {
    private static var attachments: [MonitorAttachment] = []

    static func make() -> NativeNotificationCenter {
        let center = NativeNotificationCenter()
        attachments.append(center.attach(Silent()))
        return center
    }
}

private struct Silent: NotificationMonitor {
    func receive(_ event: NotificationEvent) {}
}
