import Synchronization
import TidingsEngine

// How a type that asks for it is replayed, in four files:
//
// - this one: a post. The channel of the type carries each notification with the number of its post.
// - `LatestNotifications` gives the posts their numbers, and keeps the latest notification of each sender.
// - `ReplayGate` is what the channel calls in the place of an observer: it holds back what is posted while the observer is handed
//   the latest notification, and lets none pass twice.
// - `ReplayHandOver`: a registration, which hands the latest notification to the new observer.
//
// Other types have no such channel, and pay for none of it: a post finds out that its type has one where it has found no channel
// of the type itself.

/// A notification of a type that is replayed, on its way through the center.
@usableFromInline
// The type is `Sendable`, or the program has ended.
struct Replayed<N: TypedNotification>: TypedNotification, @unchecked Sendable {
    let notification: N
    let post: KeptPost

    /// Whether the registration of an observer hands it to that observer alone; false if it comes from a post.
    var isHandedOver = false

    @usableFromInline static var name: String { N.name }
    @usableFromInline static var senderComparison: SenderComparison<N.Sender> { N.senderComparison }
    @usableFromInline var sender: N.Sender { notification.sender }
}

/// A post of a type that is replayed, with the numbers by which the center and its monitors know it.
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
    func replayingChannel<N: TypedNotification>(
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
}

extension CenterChannelHost {
    /// The latest notifications of a type that is replayed, whose host this is.
    func latest<N: TypedNotification>(_ type: N.Type) -> LatestNotifications<N> {
        guard let latest else { preconditionFailure("the channel of a type that is replayed keeps the latest") }
        // `replayingChannel` makes the one with the other.
        return unsafe unsafeDowncast(latest, to: LatestNotifications<N>.self)
    }
}
