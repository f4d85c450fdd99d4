import TidingsEngine

extension NativeNotificationCenter {
    @export(implementation)
    @inline(never)
    func addReplayed<N: TypedNotification>(
        _ registration: ObserverRegistration, for sender: SenderFilter<N.Sender>, taking observer: inout Observer<N>?
    ) -> Entry {
        guard let observer = observer.take() else { preconditionFailure("an observer was added twice") }
        let call = observer.body
        return unsafe replayingChannel(of: N.self)._withUnsafeGuaranteedRef { channel in
            if registration.declinesReplay {
                var body = Optional(Observer<Replayed<N>> { call($0.notification) })
                return add(registration, for: sender, to: channel, taking: &body)
            }
            let gate = ReplayGate()
            let gated = GatedObserver(call, behind: gate, isConditional: registration.isConditional)
            var body = Optional(Observer<Replayed<N>>(gated.receive))
            let entry = add(registration.gated, for: sender, to: channel, taking: &body)
            handOver(to: entry, behind: gate, registration, for: sender, in: channel)
            return entry
        }
    }

    @usableFromInline
    func handOver<N: TypedNotification>(
        to entry: Entry, behind gate: ReplayGate, _ registration: ObserverRegistration,
        for sender: SenderFilter<N.Sender>, in channel: TypedChannel<Replayed<N>, N.Sender>
    ) {
        let latest = unsafe latest(in: channel).takeUnretainedValue()
        ReplayHandOver(
            gate: gate, entry: entry, registration: registration, channel: channel, host: .of(channel), latest: latest
        ).begin(for: sender)
    }
}

// `entry` is an address. The caller of `begin`, or the task in `begin`, holds a reference that keeps the memory alive.
private struct ReplayHandOver<N: TypedNotification>: @unchecked Sendable {
    let gate: ReplayGate
    let entry: Entry
    let registration: ObserverRegistration
    let channel: TypedChannel<Replayed<N>, N.Sender>
    let host: CenterChannelHost
    let latest: LatestNotifications

    /// Passes the latest notification to the observer at once. A main-actor notification is passed to the observer by a
    /// task, or by a post that is made before the task runs.
    func begin(for sender: SenderFilter<N.Sender>) {
        let belongsToMainActor = N.self is any BelongsToMainActor.Type
        // Only the main actor can access senders that are isolated to it, so the task checks them.
        let snapshot = latest.snapshot(for: sender, lookingForDead: !belongsToMainActor)
        guard belongsToMainActor else {
            gate.expect(after: snapshot.boundary, handOver: nil)
            return handOver(snapshot)
        }
        gate.expect(after: snapshot.boundary) { handOver(snapshot) }
        // The task has its own reference, because the token may be released before the task runs.
        entry.retain()
        Task { @MainActor in
            handOver(snapshot)
            latest.removeSomeDead()
            entry.release()
        }
    }

    private func handOver(_ snapshot: LatestNotifications.Snapshot) {
        guard gate.begin() else { return }
        var isCalled = true
        if let first = latest.latest(N.self, of: snapshot) {
            isCalled = withExtendedLifetime(first) { tell(first) }
        }
        while isCalled, let waiting = gate.takeWaiting() {
            for next in waiting {
                isCalled = tell(next)
                gate.noteCall()
                if !isCalled { break }
            }
        }
        if !isCalled { gate.end() }
        channel.endHandOver(of: entry)
    }

    /// Calls the observer, and reports the delivery to monitors. Returns `false` if the observation has ended.
    private func tell(_ next: HandedOver) -> Bool {
        let payload = next.payload(of: N.self)
        guard host.monitoring.isActive, !Monitoring.isCausing else { return call(payload, next) }
        let numbered = next.post.beginAgain(toldTo: host.monitoring)
        defer { numbered.end() }
        // For an asynchronous observer, the queue reports the delivery.
        guard registration.delivery.isInPost else { return call(payload, next) }
        let id = NotificationDelivery.ID(NumberedPost.beginDelivery(toldTo: host.monitoring))
        let isOnMainActor = registration.delivery.isOnMainActor
        let monitors = host.monitoring.current.map { ($0, $0.beginMeasuring(isWarnedOf: isOnMainActor)) }
        let isCalled = call(payload, next)
        if Refusal.isNoted { return isCalled }
        let observer = host.describe(entry.serial, registration.details)
        for (monitor, begun) in monitors {
            monitor.receive(
                .delivered(
                    NotificationDelivery(
                        id: id, observer: observer, waited: nil, duration: begun.map { monitor.now - $0 }, waiting: 0,
                        isOnMainActor: isOnMainActor)))
        }
        return isCalled
    }

    /// Calls the observer. A notification that was queued at the gate counts as delivered now, unless the observer
    /// rejects it. The latest notification doesn't count, because its post was made before the registration.
    private func call(_ payload: Replayed<N>, _ next: HandedOver) -> Bool {
        Refusal.isNoted = true
        let isCalled = channel.call(entry, with: payload)
        if !next.isLatest, !Refusal.isNoted { channel.countCall() }
        return isCalled
    }
}
