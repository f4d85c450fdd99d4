import TidingsEngine

extension NativeNotificationCenter {
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
}
