import TidingsEngine

// The registration of an observer of a type that is replayed: it is handed the latest notification, and after that what was
// posted meanwhile. `Replayed` says how the files of replay divide the work.

extension NativeNotificationCenter {
    /// Registers an observer of a type that is replayed, and hands it the latest notification.
    @inlinable
    @inline(never)
    func addReplayed<N: TypedNotification>(
        _ registration: ObserverRegistration, for sender: SenderFilter<N.Sender>, taking observer: inout Observer<N>?
    ) -> Entry {
        guard let observer = observer.take() else { preconditionFailure("an observer is added once") }
        let call = observer.body
        return unsafe replayingChannel(of: N.self)._withUnsafeGuaranteedRef { channel in
            if registration.declinesReplay {
                var body = Optional(Observer<Replayed<N>> { call($0.whole.notification) })
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

    /// Hands the latest notification to an observer that was just registered.
    @usableFromInline
    func handOver<N: TypedNotification>(
        to entry: Entry, behind gate: ReplayGate, _ registration: ObserverRegistration,
        for sender: SenderFilter<N.Sender>, in channel: TypedChannel<Replayed<N>, N.Sender>
    ) {
        ReplayHandOver(gate, to: entry, registration, in: channel).begin(for: sender)
    }
}

/// Hands the latest notification to an observer that was just registered, and after it what was held back meanwhile.
// The entry is an address, and the token or this keeps its chunk.
private struct ReplayHandOver<N: TypedNotification>: @unchecked Sendable {
    private let gate: ReplayGate
    private let entry: Entry
    private let registration: ObserverRegistration
    private let channel: TypedChannel<Replayed<N>, N.Sender>
    private let host: CenterChannelHost

    init(
        _ gate: ReplayGate, to entry: Entry, _ registration: ObserverRegistration,
        in channel: TypedChannel<Replayed<N>, N.Sender>
    ) {
        self.gate = gate
        self.entry = entry
        self.registration = registration
        self.channel = channel
        host = CenterChannelHost.of(channel)
    }

    /// Hands over what there is. An observer on the main actor is called there, in a task or in the next post that comes before
    /// it.
    func begin(for sender: SenderFilter<N.Sender>) {
        guard let latest = host.latest else { preconditionFailure("a type that is replayed keeps the latest") }
        let belongsToMainActor = N.self is any BelongsToMainActor.Type
        // Only the main actor may look at its senders.
        let snapshot = latest.snapshot(for: sender, lookingForDead: !belongsToMainActor)
        gate.wait(for: { latest.latest(N.self, of: snapshot) }, after: snapshot.boundary)
        guard belongsToMainActor else { return handOver() }
        // Its own reference, as the token may be released before.
        entry.retain()
        Task { @MainActor in
            handOver()
            entry.release()
        }
    }

    private func handOver() {
        guard gate.begin() else { return }
        while let next = gate.takeNext() { withExtendedLifetime(next) { tell(next) } }
    }

    /// Calls the observer, and tells monitors if they have not been told of this by the post.
    private func tell(_ next: HandedOver) {
        let payload = next.payload(of: N.self)
        guard host.monitoring.isActive, !Monitoring.isCausing else { return call(payload) }
        let numbered = payload.post.beginAgain(toldTo: host.monitoring)
        defer { numbered.end() }
        // What waits for an asynchronous observer is told by its queue.
        guard next.isLatest, registration.delivery.isInPost else { return call(payload) }
        let id = NotificationDelivery.ID(NumberedPost.beginDelivery(toldTo: host.monitoring))
        let isOnMainActor = registration.delivery.isOnMainActor
        let monitors = host.monitoring.current.map { ($0, $0.beginMeasuring(isWarnedOf: isOnMainActor)) }
        Refusal.isNoted = true
        call(payload)
        if Refusal.isNoted { return }
        let observer = host.describe(entry.serial, registration.details)
        for (monitor, begun) in monitors {
            monitor.receive(
                .delivered(
                    NotificationDelivery(
                        id: id, observer: observer, waited: nil, duration: begun.map { monitor.now - $0 }, waiting: 0,
                        isOnMainActor: isOnMainActor)))
        }
    }

    private func call(_ payload: Replayed<N>) {
        _ = channel.call(entry, with: payload, from: payload.sender)
    }
}
