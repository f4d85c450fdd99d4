import TidingsEngine

extension NativeNotificationCenter {
    /// How many notifications of each type were posted, delivered, dropped and given up since the center was made.
    ///
    /// It is counted all the time, with or without a monitor, by each thread for itself, and costs a post a few instructions, and
    /// about 2 KB for each type.
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

    /// Has the drops of an observer counted, if it has a queue.
    @usableFromInline
    func countDrops(of registration: ObserverRegistration, in channel: Channel) {
        // Others have no queue, which is told sooner than by asking for it.
        if registration.delivery.isInPost { return }
        registration.queue?.countDrops(with: CenterChannelHost.of(channel).drops)
    }
}
