import Synchronization
import TidingsEngine

// How a type that asks for it is replayed, in five files:
//
// - this one: a post. The channel of the type carries each notification with the number of its post.
// - `KeptPost`: what is kept of a post, in one object.
// - `LatestNotifications`, with its state in a file beside it, gives the posts their numbers, and keeps the latest notification
//   of each sender.
// - `ReplayGate` is what the channel calls in the place of an observer: it holds back what is posted while the observer is handed
//   the latest notification, and lets none pass twice.
// - `ReplayHandOver`: a registration, which hands the latest notification to the new observer.
//
// A post and its observers are compiled where they are written, which knows the type, as far as every post goes. What is under a
// lock does not know it.
//
// Other types have no such channel, and pay for none of it: a post finds out that its type has one where it has found no channel
// of the type itself.

/// A notification of a type that is replayed, on its way through the center.
@usableFromInline
// The type is `Sendable`, or the program has ended.
struct Replayed<N: TypedNotification>: TypedNotification, @unchecked Sendable {
    /// The notification, in an object: for most types the very post, so that nothing of it is copied for the payload.
    @usableFromInline let whole: WholeNotification<N>

    /// Whether the registration of an observer hands it to that observer alone; false if it comes from a post.
    @usableFromInline let isHandedOver: Bool

    @inlinable
    init(_ whole: WholeNotification<N>, isHandedOver: Bool = false) {
        self.whole = whole
        self.isHandedOver = isHandedOver
    }

    /// The post, as it is kept.
    var post: KeptPost { whole.post ?? whole }

    @usableFromInline static var name: String { N.name }
    @usableFromInline static var senderComparison: SenderComparison<N.Sender> { N.senderComparison }
    @inlinable var sender: N.Sender { whole.notification.sender }
}

extension NativeNotificationCenter {
    /// Posts a notification of a type that is replayed.
    @inlinable
    @inline(never)
    func postReplayed<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        if isServing { return postUnobserved(notification, from: place) }
        let channel = unsafe replayingChannel(of: N.self)
        // The channel lives as long as the center, which the caller keeps.
        return unsafe channel._withUnsafeGuaranteedRef { channel in
            // Read once, as it may be a weak reference.
            let sender = notification.sender
            let payload = keep(notification, from: sender, in: channel)
            guard let calls = channel.postIfUsual(payload, from: { _ in sender }) else {
                return postUnusual(payload, from: place, to: channel)
            }
            let refusals = payload.whole.refusals
            return refusals == 0 ? calls : takeBack(refusals, of: calls, in: channel)
        }
    }

    /// Posts a notification of a type that is replayed to all observers but one.
    func postReplayed<N: TypedNotification>(_ notification: N, from place: SourcePlace, except left: Entry?) -> Int {
        if isServing { return postUnobserved(notification, from: place) }
        // As above.
        return unsafe replayingChannel(of: N.self)._withUnsafeGuaranteedRef { channel in
            let payload = keep(notification, from: notification.sender, in: channel)
            return postUnusual(payload, from: place, to: channel, except: left)
        }
    }

    /// Takes back calls of a post that gates have refused, which are none.
    ///
    /// - Returns: How many calls there were.
    @usableFromInline
    @inline(never)
    func takeBack(_ refusals: Int, of calls: Int, in channel: Channel) -> Int {
        channel.takeBack(refusals)
        return calls - refusals
    }

    /// Makes a post whose channel is monitored, or that leaves out an observer.
    @usableFromInline
    @inline(never)
    func postUnusual<N: TypedNotification>(
        _ payload: Replayed<N>, from place: SourcePlace, to channel: TypedChannel<Replayed<N>, N.Sender>,
        except left: Entry? = nil
    ) -> Int {
        let outer = NumberedPost.current
        return postUnusual(payload, from: place, in: channel, except: left) { payload.post.noteNumber(within: outer) }
    }

    /// Numbers a post, and keeps its notification as the latest of its sender.
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - sender: Its sender.
    ///   - channel: The channel of the type.
    /// - Returns: The post, as its observers get it.
    @inlinable
    @inline(__always)
    func keep<N: TypedNotification>(
        _ notification: N, from sender: N.Sender, in channel: TypedChannel<Replayed<N>, N.Sender>
    ) -> Replayed<N> {
        // The channel keeps them.
        unsafe latest(in: channel)._withUnsafeGuaranteedRef { latest in
            guard latest.keepsWhole else {
                return Replayed(latest.keepSenderless(notification, from: sender, in: channel))
            }
            let whole = WholeNotification(notification)
            if N.Sender.self == Void.self {
                latest.keep(whole)
                return Replayed(whole)
            }
            let address = channel.knownAddress(of: sender)
            let isKept = address != 0 && latest.keep(whole, ofObjectAt: address)
            extendLifetime(sender)
            if !isKept { latest.keep(whole, from: sender, in: channel) }
            return Replayed(whole)
        }
    }

    /// The latest notifications of a type that is replayed. They live as long as its channel.
    @usableFromInline
    func latest(in channel: Channel) -> Unmanaged<LatestNotifications> {
        unsafe CenterChannelHost.reference(of: channel)._withUnsafeGuaranteedRef { host in
            guard let latest = host.latest else { preconditionFailure("a type that is replayed keeps the latest") }
            return unsafe .passUnretained(latest)
        }
    }

    /// The channel of a type that is replayed. If there is none, it is made.
    @inlinable
    @inline(__always)
    func replayingChannel<N: TypedNotification>(
        of type: N.Type
    ) -> Unmanaged<TypedChannel<Replayed<N>, N.Sender>> {
        unsafe channels.channel(Replayed<N>.self) ?? makeReplayingChannel(of: type)
    }

    @usableFromInline
    @inline(never)
    func makeReplayingChannel<N: TypedNotification>(
        of type: N.Type
    ) -> Unmanaged<TypedChannel<Replayed<N>, N.Sender>> {
        let latest = LatestNotifications(keeper: NotificationReplay.keeper(of: type))
        let channel: Unmanaged<TypedChannel<Replayed<N>, N.Sender>> = unsafe makeChannel(
            of: Replayed<N>.self, carrying: type, latest)
        unsafe channel._withUnsafeGuaranteedRef { channel in
            if channel.hasFinished { CenterChannelHost.of(channel).latest?.close() }
        }
        return unsafe channel
    }
}
