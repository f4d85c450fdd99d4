/// The beginning of something that monitors are told of when it has ended: for each monitor by its own clock.
struct Watch {
    let monitors: [AttachedMonitor]
    private let starts: [Duration]

    init(_ monitors: [AttachedMonitor]) {
        self.monitors = monitors
        starts = monitors.map(\.now)
    }

    /// Tells the monitors of the end.
    ///
    /// - Parameter event: Makes the event, of how long it took.
    func end(_ event: (Duration) -> NotificationEvent) {
        for (monitor, start) in zip(monitors, starts) { monitor.receive(event(monitor.now - start)) }
    }
}

extension Watch {
    /// Makes a post in the contexts of all monitors that carry one.
    func surround(post subject: NotificationSubject, from place: SourcePlace?, _ body: () -> Void) {
        surround(post: subject, from: place, monitors.compactMap(\.carrier)[...], body)
    }

    private func surround(
        post subject: NotificationSubject, from place: SourcePlace?,
        _ carriers: ArraySlice<any ContextCarryingMonitor>, _ body: () -> Void
    ) {
        guard let carrier = carriers.first else { return body() }
        carrier.post(subject, from: place) { surround(post: subject, from: place, carriers.dropFirst(), body) }
    }
}
