import TidingsEngine

extension NativeNotificationCenter: ListingCenter {
    /// The observations that posts can reach, each with the place of its registration and the state of its queue.
    ///
    /// They are listed by notification type, and for each type in the order in which a post calls the observers.
    /// Observers that are limited to different senders, which no post calls together, may be in another order.
    ///
    /// Intended for debugging and tests. Notification types are read one after another, so the list isn't a snapshot of
    /// a single moment. An observation whose owner or sender has been deallocated isn't listed, and ends during the
    /// read. Deallocated senders of main-actor notifications aren't detected, because only the main actor can access
    /// them.
    public var observations: [ObservationStatus] {
        channels.all().flatMap { channel in
            let host = CenterChannelHost.of(channel)
            return channel.statuses().map { ObservationStatus($0, host) }
        }
    }

    @export(implementation) var queues: [(status: EntryStatus, host: CenterChannelHost, queue: any ObserverQueue)] {
        channels.all().flatMap { channel in
            let host = CenterChannelHost.of(channel)
            return channel.allStatuses().compactMap { status in
                ObserverRegistration(status.details).queue.map { (status, host, $0) }
            }
        }
    }

    @export(implementation) package var allQueues: [any ObserverQueue] { queues.map(\.queue) }

    @usableFromInline
    package func queues<N: TypedNotification>(reachedBy notification: N) -> [any ObserverQueue] {
        let sender = SenderKey(of: notification.sender)
        return channels.all().filter { CenterChannelHost.of($0).subject == NotificationSubject(N.self) }
            .flatMap { $0.statuses() }
            .filter { $0.sender.accepts(sender) }.compactMap { ObserverRegistration($0.details).queue }
    }

    package func observerCount<N: TypedNotification>(of type: N.Type) -> Int {
        // The channels live as long as the center.
        defer { extendLifetime(self) }
        let plain = unsafe channels.channel(type) as Unmanaged<TypedChannel<N, N.Sender>>?
        let replaying = unsafe channels.channel(Replayed<N>.self) as Unmanaged<TypedChannel<Replayed<N>, N.Sender>>?
        return unsafe (plain?._withUnsafeGuaranteedRef { $0.statuses().count } ?? 0)
            + (replaying?._withUnsafeGuaranteedRef { $0.statuses().count } ?? 0)
    }

    /// The observations that ended last, with their reasons: up to sixteen for each notification type, oldest first.
    /// They are recorded while a monitor is attached, or always if `keepsEnded` is `true`; see ``init(keepsEnded:)``.
    ///
    /// An observation whose owner or sender has been deallocated ends when a post, a registration or a read of
    /// ``observations`` detects that.
    @export(implementation) public var endedObservations: [EndedObservation] {
        channels.all().flatMap { channel in
            let host = CenterChannelHost.of(channel)
            return channel.ended().map { host.describe($0) }
        }
    }

    /// The numbers of posts, deliveries, drops and failures of each notification type since the center was created.
    /// Counting takes a few instructions per post, with or without a monitor, and about 1 KB per type.
    ///
    /// ```swift
    /// print(center.statistics.table)
    /// ```
    public var statistics: NotificationStatistics {
        NotificationStatistics(
            channels.all().map { channel in
                let host = CenterChannelHost.of(channel)
                let (posts, calls) = channel.counts
                return NotificationStatistics.Row(
                    subject: host.subject, posts: posts, deliveries: calls, drops: host.drops.count,
                    failures: host.drops.failureCount)
            })
    }

    /// Ends all observations that are tied to an owner, and discards the notifications queued for them.
    ///
    /// - Parameter owner: The owner.
    public func removeObservers(of owner: AnyObject) {
        let address = UInt(bitPattern: ObjectIdentifier(owner))
        for channel in channels.all() {
            let ended = channel.cancel(ownedBy: address) { ObserverTie.of($0).owner?.refers(to: owner) == true }
            for tie in ended {
                (ObserverTie.of(tie).fields.queue as? any ObserverQueue)?.cancel()
            }
        }
    }
}

extension EntryStatus {
    var queue: QueueStatus {
        if let queue = ObserverRegistration(details).queue { return queue.status }
        var status = QueueStatus(isRunning: isCalled)
        status.calls.call = call
        return status
    }
}

extension EntryStatus.Sender {
    fileprivate func accepts(_ sender: SenderKey) -> Bool {
        switch self {
        case .everyone: return true
        case .unmatched: return false
        case .value(let mine): return SenderKey(of: mine).isSame(as: sender)
        case .object(_, let address):
            // The sender of a post is alive, so no other object has its address.
            guard case .object(let object) = sender else { return false }
            return ObjectIdentifier(object) == address
        }
    }
}

extension NativeNotificationCenter: CustomStringConvertible {
    /// The observations as a table.
    public var description: String {
        let observations = observations
        return "\(describe(self)), \(observations.count) \(observations.count == 1 ? "observation" : "observations")"
            + (observations.isEmpty ? "" : ":\n" + observations.table)
    }
}

extension ObservationStatus {
    @usableFromInline
    init(_ status: EntryStatus, _ host: CenterChannelHost) {
        let registration = ObserverRegistration(status.details)
        // Describing a value runs user code. No lock is held here.
        let sender: String? =
            switch status.sender {
            case .everyone: registration.tie?.fields.senderDescription
            case .object(let type, let address): describe(type, address)
            case .value(let value): shownWords(of: value)
            case .unmatched: "a sender that matches no other"
            }
        let queue = status.queue
        self.init(
            observer: host.describe(status.serial, status.details), sender: sender, owner: registration.owner?.words,
            queued: queue.queued, dropped: queue.dropped, failed: queue.failed, retrying: queue.retrying,
            isRunning: queue.isRunning, calls: queue.calls)
    }
}
