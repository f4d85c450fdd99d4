extension TypedChannel {
    /// What a post does that would not be usual: it looks whether observers have ended with an owner or a sender, and tells
    /// the monitors.
    ///
    /// - Returns: How many observers were called; `nil` if the post is still to be made.
    @usableFromInline
    func postWatched(_ notification: N, from place: SourcePlace) -> Int? {
        if everyone.flags.contains(.isMonitored) { return postMonitored(notification, from: place) }
        cancelSomeDead(.ofPost)
        return nil
    }

    /// Makes a post of which monitors are told.
    func postMonitored(_ notification: N, from place: SourcePlace, except left: Entry? = nil) -> Int {
        cancelSomeDead(.ofPost)
        let monitors = monitoring.current
        if monitors.isEmpty { return postWithoutLane(notification, except: left) }
        let watch = Watch(monitors)
        var calls = 0
        let known = place.isKnown ? place : nil
        watch.surround(post: subject, from: known) { calls = postWithoutLane(notification, except: left, monitors) }
        watch.end { .posted(NotificationPost(subject: subject, place: known, observers: calls, duration: $0)) }
        return calls
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
