extension TypedChannel {
    /// What a post does that would not be usual: it looks whether observers have ended with an owner or a sender, and tells
    /// the monitors.
    ///
    /// - Returns: How many observers were called; `nil` if the post is still to be made.
    @usableFromInline
    func postWatched(_ notification: N) -> Int? {
        if everyone.flags.contains(.isMonitored) { return postMonitored(notification) }
        cancelSomeDead()
        return nil
    }

    /// Makes a post of which monitors are told.
    func postMonitored(_ notification: N, except left: Entry? = nil) -> Int {
        cancelSomeDead()
        let monitors = monitoring.current
        if monitors.isEmpty { return postWithoutLane(notification, except: left) }
        let watch = Watch(monitors)
        var calls = 0
        watch.surround(post: subject) { calls = postWithoutLane(notification, except: left, monitors) }
        watch.end { .posted(NotificationPost(subject: subject, observers: calls, duration: $0)) }
        return calls
    }
}

extension Watch {
    /// Makes a post in the contexts of all monitors that carry one.
    fileprivate func surround(post subject: NotificationSubject, _ body: () -> Void) {
        surround(post: subject, monitors.compactMap(\.carrier)[...], body)
    }

    private func surround(
        post subject: NotificationSubject, _ carriers: ArraySlice<any ContextCarryingMonitor>, _ body: () -> Void
    ) {
        guard let carrier = carriers.first else { return body() }
        carrier.post(subject) { surround(post: subject, carriers.dropFirst(), body) }
    }

    /// Tells the monitors that an observer was called in the post.
    func endCall(of observer: ObserverDescription) {
        end { duration in
            .delivered(
                NotificationDelivery(
                    observer: observer, waited: nil, duration: duration, waiting: 0,
                    isOnMainActor: observer.delivery.isOnMainActor))
        }
    }
}
