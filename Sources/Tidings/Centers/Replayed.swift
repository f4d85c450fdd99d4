import TidingsEngine

// The channel of a type is the list of its observers. Observers of a replayed type `N` are in the channel of
// `Replayed<N>`, and `N` itself has no channel. A post checks for replay only if its type has no channel, so posts of
// other observed types have no overhead.

@usableFromInline
@safe
// Only types that are `Sendable` are replayed. Only the posting thread uses the pointer `refusals`.
struct Replayed<N: TypedNotification>: TypedNotification, @unchecked Sendable {
    @export(implementation) let notification: N
    @export(implementation) let number: UInt64

    /// The stored post. It is set for monitors, and when a registration passes the notification to a new observer.
    /// Otherwise it may be `nil`.
    @export(implementation) let post: KeptPost?

    /// Points to the number of observers whose ``ReplayGate`` refused the notification. Valid only during the post;
    /// `nil` if a registration or `post(_:to:)` passes the notification to particular observers.
    @export(implementation) let refusals: UnsafeMutablePointer<Int>?

    @export(implementation)
    init(_ notification: N, number: UInt64, of post: KeptPost?, countingIn refusals: UnsafeMutablePointer<Int>?) {
        self.notification = notification
        self.number = number
        self.post = post
        unsafe self.refusals = unsafe refusals
    }

    @export(implementation) var isHandedOver: Bool { unsafe refusals == nil }

    @export(implementation) var isAskedFor: Bool { isHandedOver || post != nil }

    func noteRefusal() { if let refusals = unsafe refusals { unsafe refusals.pointee += 1 } }

    var asTold: Replayed {
        unsafe Replayed(notification, number: number, of: post ?? KeptPost(number: number), countingIn: refusals)
    }

    @usableFromInline static var name: String { N.name }
    @usableFromInline static var senderComparison: SenderComparison<N.Sender> { N.senderComparison }
    @export(implementation) var sender: N.Sender { notification.sender }
}

extension NativeNotificationCenter {
    @export(implementation)
    @inline(never)
    func postReplayed<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        if isServing { return postUnobserved(notification, from: place) }
        let channel = unsafe replayingChannel(of: N.self)
        // The channel lives as long as the center, which the caller keeps alive. The channel keeps `latest` alive.
        return unsafe channel._withUnsafeGuaranteedRef { channel in
            unsafe latest(in: channel)._withUnsafeGuaranteedRef { latest in
                if !latest.keepsWhole || channel.isTold {
                    return postTold(notification, from: place, in: channel, latest)
                }
                // The sender is read once, because it may be a weak reference.
                let sender = notification.sender
                let address = N.Sender.self == Void.self ? 0 : channel.knownAddress(of: sender)
                // The lane marks the post as running. It is claimed before the notification is stored; see `enter`.
                let lane = channel.enter()
                // `keep` may swap this copy for the sender's previous notification. Releasing that notification may run
                // user code, so it is released here, after `keep` has unlocked its lock.
                var replaced = notification
                let number = latest.keep(&replaced, fromObjectAt: address, orFrom: sender, in: channel)
                return postNumbered(
                    notification, number: number, of: nil, fromObjectAt: address, orFrom: sender, at: place,
                    in: channel, lane)
            }
        }
    }

    func postReplayed<N: TypedNotification>(_ notification: N, from place: SourcePlace, reaching reach: PostReach)
        -> Int
    {
        if isServing { return postUnobserved(notification, from: place) }
        // The channel lives as long as the center, which the caller keeps alive.
        return unsafe replayingChannel(of: N.self)._withUnsafeGuaranteedRef { channel in
            unsafe latest(in: channel)._withUnsafeGuaranteedRef { latest in
                postTold(notification, from: place, in: channel, latest, reaching: reach)
            }
        }
    }

    @usableFromInline
    @inline(never)
    func postTold<N: TypedNotification>(
        _ notification: N, from place: SourcePlace, in channel: TypedChannel<Replayed<N>, N.Sender>,
        _ latest: LatestNotifications, reaching reach: PostReach = .everyone
    ) -> Int {
        let sender = notification.sender
        let post = latest.post(of: notification, from: sender)
        let lane = channel.enter()
        let number = latest.keep(post, from: sender, in: channel)
        return postNumbered(
            notification, number: number, of: post, fromObjectAt: channel.knownAddress(of: sender), orFrom: sender,
            at: place, in: channel, lane, reaching: reach)
    }

    @export(implementation)
    @inline(__always)
    func postNumbered<N: TypedNotification>(
        _ notification: N, number: UInt64, of post: KeptPost?, fromObjectAt address: UInt, orFrom sender: N.Sender,
        at place: SourcePlace, in channel: TypedChannel<Replayed<N>, N.Sender>, _ lane: Lane?,
        reaching reach: PostReach = .everyone
    ) -> Int {
        var refusals = 0
        return unsafe withUnsafeMutablePointer(to: &refusals) { refusals in
            let payload = unsafe Replayed(notification, number: number, of: post, countingIn: refusals)
            if number > 0, reach.isEveryone,
                let calls = channel.postIfUsual(payload, fromObjectAt: address, orFrom: sender, in: lane)
            {
                extendLifetime(sender)
                let refused = unsafe refusals.pointee
                return refused == 0 ? calls : takeBack(refused, of: calls, in: channel)
            }
            return postUnusual(payload, from: place, in: channel, lane, reaching: reach)
        }
    }

    /// Makes a post that `postIfUsual` can't make or that omits observers. If the center has finished and refused the
    /// notification, only monitors receive the post. Leaves the lane.
    @usableFromInline
    @inline(never)
    func postUnusual<N: TypedNotification>(
        _ payload: Replayed<N>, from place: SourcePlace, in channel: TypedChannel<Replayed<N>, N.Sender>, _ lane: Lane?,
        reaching reach: PostReach
    ) -> Int {
        let outer = NumberedPost.current
        let payload = payload.asTold
        defer { channel.leave(lane) }
        return postUnusual(payload, from: place, in: channel, reaching: reach, isAdmitted: payload.number > 0) {
            payload.post?.noteNumber(within: outer)
        }
    }

    @usableFromInline
    @inline(never)
    func takeBack(_ refusals: Int, of calls: Int, in channel: Channel) -> Int {
        channel.takeBack(refusals)
        return calls - refusals
    }

    @usableFromInline
    func latest(in channel: Channel) -> Unmanaged<LatestNotifications> {
        unsafe CenterChannelHost.reference(of: channel)._withUnsafeGuaranteedRef { host in
            guard let latest = host.latest else {
                preconditionFailure("a type that is replayed has no store for the latest notification")
            }
            return unsafe .passUnretained(latest)
        }
    }

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
        let replay = replay(of: type) ?? .none
        let latest = LatestNotifications(keeper: replay.keeper(of: type))
        let channel: Unmanaged<TypedChannel<Replayed<N>, N.Sender>> = unsafe makeChannel(
            of: Replayed<N>.self, carrying: type, latest)
        unsafe channel._withUnsafeGuaranteedRef { channel in
            if channel.hasFinished { CenterChannelHost.of(channel).latest?.close() }
        }
        return unsafe channel
    }
}
