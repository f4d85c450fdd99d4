import TidingsEngine

// How a type that asks for it is replayed, in five files:
//
// - this one: a post. The channel of the type carries each notification with the number of its post.
// - `KeptPost`: what is kept of a post, in one object, which later posts use again.
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
@safe
// The type is `Sendable`, or the program has ended. The pointer is used by the thread that posts.
struct Replayed<N: TypedNotification>: TypedNotification, @unchecked Sendable {
    @export(implementation) let notification: N

    /// How many posts of the type there were in the center, with this one.
    @export(implementation) let number: UInt64

    /// The post as it is kept, if others may have to know it: monitors, or an observer to which it is handed over.
    @export(implementation) let post: KeptPost?

    /// Where the post counts how often gates have refused it; `nil` if the registration of an observer hands it to that one alone. Valid
    /// as long as the post takes.
    @export(implementation) let refusals: UnsafeMutablePointer<Int>?

    @export(implementation)
    init(_ notification: N, number: UInt64, of post: KeptPost?, countingIn refusals: UnsafeMutablePointer<Int>?) {
        self.notification = notification
        self.number = number
        self.post = post
        unsafe self.refusals = unsafe refusals
    }

    /// Whether the registration of an observer hands it to that observer alone; false if it comes from a post.
    @export(implementation) var isHandedOver: Bool { unsafe refusals == nil }

    /// Whether what an observer has refused is asked for after its call.
    @export(implementation) var isAskedFor: Bool { isHandedOver || post != nil }

    /// Notes that a gate has refused the post.
    func noteRefusal() { if let refusals = unsafe refusals { unsafe refusals.pointee += 1 } }

    /// The same, with a post that others may know.
    var asTold: Replayed {
        unsafe Replayed(notification, number: number, of: post ?? KeptPost(number: number), countingIn: refusals)
    }

    @usableFromInline static var name: String { N.name }
    @usableFromInline static var senderComparison: SenderComparison<N.Sender> { N.senderComparison }
    @export(implementation) var sender: N.Sender { notification.sender }
}

extension NativeNotificationCenter {
    /// Posts a notification of a type that is replayed.
    @export(implementation)
    @inline(never)
    func postReplayed<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        if isServing { return postUnobserved(notification, from: place) }
        let channel = unsafe replayingChannel(of: N.self)
        // The channel lives as long as the center, which the caller keeps, and keeps the latest notifications.
        return unsafe channel._withUnsafeGuaranteedRef { channel in
            unsafe latest(in: channel)._withUnsafeGuaranteedRef { latest in
                if !latest.keepsWhole || channel.isTold {
                    return postTold(notification, from: place, in: channel, latest)
                }
                // Read once, as it may be a weak reference.
                let sender = notification.sender
                let address = N.Sender.self == Void.self ? 0 : channel.knownAddress(of: sender)
                // In its lane from before it is kept: see `enter`.
                let lane = channel.enter()
                // Takes what it replaces, which is released when the lock is free.
                var replaced = notification
                let number = latest.keep(&replaced, fromObjectAt: address, orFrom: sender, in: channel)
                return postNumbered(
                    notification, number: number, of: nil, fromObjectAt: address, orFrom: sender, at: place,
                    in: channel,
                    lane)
            }
        }
    }

    /// Posts a notification of a type that is replayed to all observers but one.
    func postReplayed<N: TypedNotification>(_ notification: N, from place: SourcePlace, except left: Entry?) -> Int {
        if isServing { return postUnobserved(notification, from: place) }
        // As above.
        return unsafe replayingChannel(of: N.self)._withUnsafeGuaranteedRef { channel in
            unsafe latest(in: channel)._withUnsafeGuaranteedRef { latest in
                postTold(notification, from: place, in: channel, latest, except: left)
            }
        }
    }

    /// Posts a notification of which monitors are told, which leaves out an observer, or which is kept without its sender. What is kept is
    /// in an object of its own, which the post knows.
    @usableFromInline
    @inline(never)
    func postTold<N: TypedNotification>(
        _ notification: N, from place: SourcePlace, in channel: TypedChannel<Replayed<N>, N.Sender>,
        _ latest: LatestNotifications, except left: Entry? = nil
    ) -> Int {
        // As above.
        let sender = notification.sender
        let post = latest.post(of: notification, from: sender)
        let lane = channel.enter()
        let number = latest.keep(post, from: sender, in: channel)
        return postNumbered(
            notification, number: number, of: post, fromObjectAt: channel.knownAddress(of: sender), orFrom: sender,
            at: place, in: channel, lane, except: left)
    }

    /// Makes a post that is numbered, and leaves its lane.
    @export(implementation)
    @inline(__always)
    func postNumbered<N: TypedNotification>(
        _ notification: N, number: UInt64, of post: KeptPost?, fromObjectAt address: UInt, orFrom sender: N.Sender,
        at place: SourcePlace, in channel: TypedChannel<Replayed<N>, N.Sender>, _ lane: Lane?, except left: Entry? = nil
    ) -> Int {
        var refusals = 0
        return unsafe withUnsafeMutablePointer(to: &refusals) { refusals in
            let payload = unsafe Replayed(notification, number: number, of: post, countingIn: refusals)
            if number > 0, left == nil,
                let calls = channel.postIfUsual(payload, fromObjectAt: address, orFrom: sender, in: lane)
            {
                extendLifetime(sender)
                let refused = unsafe refusals.pointee
                return refused == 0 ? calls : takeBack(refused, of: calls, in: channel)
            }
            return postUnusual(payload, from: place, in: channel, lane, except: left)
        }
    }

    /// Makes a post whose channel is monitored, or that leaves out an observer, has no lane, or was refused, and leaves its lane.
    @usableFromInline
    @inline(never)
    func postUnusual<N: TypedNotification>(
        _ payload: Replayed<N>, from place: SourcePlace, in channel: TypedChannel<Replayed<N>, N.Sender>, _ lane: Lane?,
        except left: Entry?
    ) -> Int {
        let outer = NumberedPost.current
        let payload = payload.asTold
        defer { channel.leave(lane) }
        return postUnusual(payload, from: place, in: channel, except: left, isAdmitted: payload.number > 0) {
            payload.post?.noteNumber(within: outer)
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

    /// The latest notifications of a type that is replayed. They live as long as its channel.
    @usableFromInline
    func latest(in channel: Channel) -> Unmanaged<LatestNotifications> {
        unsafe CenterChannelHost.reference(of: channel)._withUnsafeGuaranteedRef { host in
            guard let latest = host.latest else { preconditionFailure("a type that is replayed keeps the latest") }
            return unsafe .passUnretained(latest)
        }
    }

    /// The channel of a type that is replayed. If there is none, it is made.
    @export(implementation)
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
