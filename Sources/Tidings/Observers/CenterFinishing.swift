extension TypedNotificationCenter {
    /// Stops accepting posts and registrations, and waits until earlier posts are handled or the time limit has passed.
    ///
    /// A post that begins after this method has begun calls no observer and returns 0, and monitors receive a post to 0
    /// observers. Posts in progress complete, so a post calls either all of its observers or none. The notification
    /// types of a center are closed one after another, so a post that races with this call may be accepted after a post
    /// of another type was refused. Queued notifications are handled, including those held back while a new observer
    /// receives the latest notification of a replayed type. Sequences end when their consumers have taken all elements.
    /// The method doesn't wait for notifications that are queued for a Combine subscriber, which may never demand them.
    /// All observations end with the reason ``ObservationEndReason/centerFinished``.
    ///
    /// ```swift
    /// let left = await center.finish(within: .seconds(5))
    /// for observer in left { print("gave up on \(observer.place), \(observer.queued) wait") }
    /// ```
    ///
    /// Finishing can't be undone. If an observer is added later, it is never called: its observation ends at once, and
    /// its closure is released. A sequence that is created later is empty. Notifications that observers post while they
    /// handle queued notifications reach no observer.
    ///
    /// An observer that hasn't finished when the time limit passes continues to handle its queue, if it can. To discard
    /// the queue, cancel the observer's token or call ``removeObservers(of:)``. This method can be called several
    /// times, even concurrently; each call waits for the observers that haven't finished. If an asynchronous observer
    /// finishes its own center, the method waits neither for that observer nor for other observers that wait for it. If
    /// the consumer of a sequence finishes the center, the method waits for the consumer until the time limit has
    /// passed.
    ///
    /// A forwarding center finishes the center to which it forwards. For a center of your own that doesn't forward, the
    /// method returns at once, because Tidings can't list its observers. In Foundation's center, only the current
    /// observers are finished, and after the call ``removeObservers(of:)`` doesn't discard their queues; see
    /// `TidingsFoundation`.
    ///
    /// - Parameters:
    ///   - limit: How long to wait. Cancelling the task also ends the wait.
    ///   - clock: The clock that measures the time.
    /// - Returns: The state of the observations that hadn't handled everything, or were in a post that hadn't ended.
    @discardableResult
    @export(implementation)
    public func finish(
        within limit: Duration, clock: any Clock<Duration> = ContinuousClock()
    ) async -> [ObservationStatus] {
        await finishListed { await NativeNotificationCenter.finish($0, within: limit, clock: clock) }
    }

    @usableFromInline
    func finishListed(
        by finish: ([NativeNotificationCenter]) async -> [ObservationStatus]
    ) async -> [ObservationStatus] {
        await listing?.finish(by: finish) ?? []
    }
}

extension NativeNotificationCenter {
    @usableFromInline
    package func finish(
        by finish: ([NativeNotificationCenter]) async -> [ObservationStatus]
    ) async -> [ObservationStatus] {
        await finish([self])
    }

    @export(implementation)
    package static func finish(
        _ centers: [NativeNotificationCenter], within limit: Duration?, clock: any Clock<Duration>
    ) async -> [ObservationStatus] {
        // Reading `queues` ends the observers whose owners have been deallocated, so their retries aren't waited for.
        for center in centers { _ = center.queues }
        let channels = centers.flatMap { $0.channels.finish() }
        // All channels are closed before the first one is examined, so that they close at nearly the same time.
        for channel in channels {
            let host = CenterChannelHost.of(channel)
            // After `stop()`, no notification is stored for late observers. Registrations in progress may use stored
            // notifications until `close()`, which is called after the posts of these notifications have ended. So each
            // notification with which a late observer begins also reaches the other observers.
            host.latest?.stop()
            channel.finish { host.latest?.close() }
        }
        let finish = CenterFinish(of: channels)
        await finish.wait.run(within: limit, clock: clock)
        finish.excused.endWait()
        finish.giveUp()
        // The channels live only as long as their centers.
        defer { extendLifetime(centers) }
        return finish.left
    }
}

/// Waits first for the posts in progress, which may fill queues, and then for the queues.
@usableFromInline
struct CenterFinish {
    @usableFromInline
    typealias Part = (channel: Channel, queues: [ObjectIdentifier: (number: Int, queue: any ObserverQueue)])

    @usableFromInline let wait = BoundedWait()
    @usableFromInline let excused: ExcusedQueues
    @usableFromInline let parts: [Part]

    @export(implementation)
    init(of channels: [Channel]) {
        // Numbers below `channels.count` identify channels. The other numbers identify queues.
        var number = channels.count
        parts = channels.map { channel -> Part in
            let queues = channel.finishing().entries.compactMap { ObserverRegistration($0.details).queue }
            let numbered = queues.map { queue in
                number += 1
                return (ObjectIdentifier(queue), (number: number, queue: queue))
            }
            return (channel, Dictionary(numbered) { first, _ in first })
        }
        excused = ExcusedQueues(among: parts.flatMap { $0.queues.values.map(\.queue) })
        for (index, part) in parts.enumerated() {
            let queues = part.queues.values.filter { !excused.contains($0.queue) }
            for number in [index] + queues.map(\.number) { wait.add(number) }
            part.channel.finish { [wait] in
                // A closure that is added after the wait was given up would stay in its queue.
                for (number, queue) in queues where !wait.isOver {
                    queue.whenHandled(for: ObjectIdentifier(wait)) { wait.remove(number) }
                }
                wait.remove(index)
            }
        }
    }

    @usableFromInline
    func giveUp() {
        for queue in parts.flatMap(\.queues.values) { queue.queue.giveUp(ObjectIdentifier(wait)) }
    }

    @export(implementation)
    var left: [ObservationStatus] {
        let pending = wait.pending
        return parts.indices.flatMap { left(in: parts[$0], whosePostsHaveLeft: !pending.contains($0), pending) }
    }

    @export(implementation)
    func left(in part: Part, whosePostsHaveLeft haveLeft: Bool, _ pending: Set<Int>) -> [ObservationStatus] {
        let host = CenterChannelHost.of(part.channel)
        let all = part.channel.finishing().entries
        let left = all.filter { status in
            guard let queue = ObserverRegistration(status.details).queue, haveLeft || !status.isCalled else {
                return !haveLeft && status.isCalled
            }
            let isPending = part.queues[ObjectIdentifier(queue)].map { pending.contains($0.number) } ?? false
            // While a post is in progress, every queue counts as pending, so its status decides.
            return haveLeft && isPending || queue.status.queued > 0 || !haveLeft && queue.status.isRunning
        }
        // If a post in progress is between two calls, no observer is being called, so all observers are listed.
        let isBetween = !haveLeft && left.isEmpty
        return (isBetween ? all : left).map { ObservationStatus($0, host) }
    }
}
