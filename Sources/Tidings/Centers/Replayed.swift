import Synchronization
import TidingsEngine

// How a type that asks for it is replayed, in three files. Its channel carries each notification with the number of its post: this
// file. `LatestNotifications` numbers the posts and keeps the latest ones. `ReplayGate` stands before each observer: it holds back
// what is posted while the observer is handed the latest, and lets nothing pass that the observer has got already.
//
// Other types have no such channel, and pay for none of it: a post finds out that its type has one where it has found no channel of
// the type itself.

/// A notification of a type that is replayed, on its way through the center.
@usableFromInline
// The type is `Sendable`, or the program has ended.
struct Replayed<N: TypedNotification>: TypedNotification, @unchecked Sendable {
    let notification: N
    let post: KeptPost

    /// Whether it is handed to one observer, by the one who has registered it, and not posted.
    var isHandedOver = false

    @usableFromInline static var name: String { N.name }
    @usableFromInline static var senderComparison: SenderComparison<N.Sender> { N.senderComparison }
    @usableFromInline var sender: N.Sender { notification.sender }
}

/// A post of a type that is replayed.
final class KeptPost: Sendable {
    /// How many posts of the type there were in the center, with this one.
    let number: UInt64

    /// The number by which monitors know the post; 0 as long as none was told of it. Relaxed, as nothing else depends on it.
    private let known = Atomic<UInt64>(0)

    /// How often it was handed over.
    private let handedOver = Atomic<UInt64>(0)

    init(number: UInt64) { self.number = number }

    /// Notes the number by which monitors know the post that this thread makes, if it has begun.
    ///
    /// - Parameter outer: The number of the post around it.
    func noteNumber(within outer: UInt64) {
        let number = NumberedPost.current
        if number != outer { known.store(number, ordering: .relaxed) }
    }

    /// Begins to hand the post over on this thread. The deliveries get numbers that no post reaches.
    func beginAgain(toldTo monitoring: Monitoring) -> NumberedPost {
        let times = handedOver.wrappingAdd(1, ordering: .relaxed).newValue
        return NumberedPost(
            again: known.load(ordering: .relaxed), after: times << 32, toldTo: ObjectIdentifier(monitoring),
            in: MonitoredTask.current.delivery)
    }
}

extension NativeNotificationCenter {
    /// Posts a notification of a type that is replayed.
    @usableFromInline
    @inline(never)
    func postReplayed<N: TypedNotification>(
        _ notification: N, from place: SourcePlace, except left: Entry? = nil
    ) -> Int {
        if isServing { return postUnobserved(notification, from: place) }
        let channel = unsafe replayingChannel(of: N.self)
        // The channel lives as long as the center, which the caller keeps.
        return unsafe channel._withUnsafeGuaranteedRef { channel in
            let latest = CenterChannelHost.of(channel).latest(N.self)
            let payload = Replayed(notification: notification, post: latest.keep(notification))
            if left == nil, let calls = channel.postIfUsual(payload, from: { $0.sender }) { return calls }
            let outer = NumberedPost.current
            return postUnusual(payload, from: place, in: channel, except: left) {
                payload.post.noteNumber(within: outer)
            }
        }
    }

    /// The channel of a type that is replayed. If there is none, it is made.
    private func replayingChannel<N: TypedNotification>(
        of type: N.Type
    ) -> Unmanaged<TypedChannel<Replayed<N>, N.Sender>> {
        if let known = unsafe channels.channel(Replayed<N>.self) as Unmanaged<TypedChannel<Replayed<N>, N.Sender>>? {
            return unsafe known
        }
        let latest = LatestNotifications<N>()
        let channel: Unmanaged<TypedChannel<Replayed<N>, N.Sender>> = unsafe makeChannel(
            of: Replayed<N>.self, carrying: type, latest)
        unsafe channel._withUnsafeGuaranteedRef { channel in
            if channel.hasFinished { CenterChannelHost.of(channel).latest?.close() }
        }
        return unsafe channel
    }

    /// Registers an observer of a type that is replayed, and hands it the latest notification.
    func addReplayed<N: TypedNotification>(
        _ registration: ObserverRegistration, for sender: SenderFilter<N.Sender>, taking observer: inout Observer<N>?
    ) -> Entry {
        guard let observer = observer.take() else { preconditionFailure("an observer is added once") }
        let call = observer.body
        return unsafe replayingChannel(of: N.self)._withUnsafeGuaranteedRef { channel in
            if registration.declinesReplay {
                var body = Optional(Observer<Replayed<N>> { call($0.notification) })
                return add(registration, for: sender, to: channel, taking: &body)
            }
            let gate = ReplayGate<N>()
            let isConditional = registration.isConditional
            // The gate may refuse a post, as a condition does.
            var body = Optional(
                Observer<Replayed<N>> { payload in gate.receive(payload, isConditional: isConditional, call) })
            let entry = add(registration.conditional, for: sender, to: channel, taking: &body)
            HandOver(gate, to: entry, registration, in: channel).begin(for: sender)
            return entry
        }
    }
}

extension CenterChannelHost {
    /// The latest notifications of a type that is replayed, whose host this is.
    fileprivate func latest<N: TypedNotification>(_ type: N.Type) -> LatestNotifications<N> {
        guard let latest else { preconditionFailure("the channel of a type that is replayed keeps the latest") }
        // `replayingChannel` makes the one with the other.
        return unsafe unsafeDowncast(latest, to: LatestNotifications<N>.self)
    }
}

/// Hands the latest notification to an observer that was just registered, and after it what was held back meanwhile.
// The entry is an address, and the token or this keeps its chunk.
private struct HandOver<N: TypedNotification>: @unchecked Sendable {
    private let gate: ReplayGate<N>
    private let entry: Entry
    private let registration: ObserverRegistration
    private let channel: TypedChannel<Replayed<N>, N.Sender>
    private let host: CenterChannelHost
    private let latest: LatestNotifications<N>

    init(
        _ gate: ReplayGate<N>, to entry: Entry, _ registration: ObserverRegistration,
        in channel: TypedChannel<Replayed<N>, N.Sender>
    ) {
        self.gate = gate
        self.entry = entry
        self.registration = registration
        self.channel = channel
        host = CenterChannelHost.of(channel)
        latest = host.latest(N.self)
    }

    /// Hands over what there is; if it belongs to the main actor, there, and before the next post at the latest.
    func begin(for sender: SenderFilter<N.Sender>) {
        if N.self is any BelongsToMainActor.Type {
            gate.wait(with: latest.snapshot(for: sender), in: latest)
            // Its own reference, as the token may be released before.
            entry.retain()
            Task { @MainActor in
                if gate.begin() { gate.run { tell($0, isLatest: $1) } }
                entry.release()
            }
        } else {
            gate.wait(with: latest.snapshot(for: sender), in: latest)
            if gate.begin() { gate.run { tell($0, isLatest: $1) } }
        }
    }

    /// Calls the observer, and tells monitors if they have not been told of this by the post.
    private func tell(_ payload: Replayed<N>, isLatest: Bool) {
        guard host.monitoring.isActive, !Monitoring.isCausing else { return call(payload) }
        let numbered = payload.post.beginAgain(toldTo: host.monitoring)
        defer { numbered.end() }
        // What waits for an asynchronous observer is told by its queue.
        guard isLatest, registration.delivery.isInPost else { return call(payload) }
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
