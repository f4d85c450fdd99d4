extension TypedNotificationCenter {
    /// Takes nothing new, and returns when everything that was posted before has been handled, or when the time is over.
    ///
    /// From the beginning of this call on a post reaches no observer: it returns 0, and monitors are told of a post to 0
    /// observers. A post that is under way comes to its end. So each post has called all its observers before this returns, or it
    /// has called none and returns 0; a post that returns 0 because the center has finished says the same as one of a type
    /// without observers. What the registration of an observer of a replayed type holds back is handed over: the post has returned
    /// without counting it. What waits for asynchronous observers is handled. Sequences end when their consumers have taken what
    /// there is. All observations end, with the reason ``ObservationEndReason/centerFinished``.
    ///
    /// ```swift
    /// let left = await center.finish(within: .seconds(5))
    /// for observer in left { print("gave up on \(observer.place), \(observer.queued) wait") }
    /// ```
    ///
    /// There is no way back. An observer that is added afterwards is never called: its token has ended, its closure is released
    /// at once, and its sequence is empty. What observers post in turn while they handle the rest reaches no observer. The types
    /// of a center are closed one after another, so a post that races with this call may be taken after one of another type was
    /// refused.
    ///
    /// What an observer has not handled when the time is over it handles later, if it can: to discard it, cancel its token, or
    /// call ``removeObservers(of:)``. This can be called several times, also at once; each call waits for what is left.
    ///
    /// An asynchronous observer that finishes its own center does not wait for itself, nor for an observer that waits for it. The
    /// consumer of a sequence waits for itself in vain, until the time is over.
    ///
    /// A center that forwards has the center finished to which it does. A center of your own that does not forward is not
    /// finished, as only that one knows its observers. Foundation's center outlives what observes it: see `TidingsFoundation`.
    ///
    /// - Parameters:
    ///   - limit: How long to wait. Cancelling the task ends the wait, too.
    ///   - clock: The clock that measures the time.
    /// - Returns: The observations that had not finished, as they stand: those that had not handled everything, and those that
    ///   run in a post which had not ended. None if all have finished.
    @discardableResult
    @export(implementation)
    public func finish(
        within limit: Duration, clock: any Clock<Duration> = ContinuousClock()
    ) async -> [ObservationStatus] {
        await finishListed { await NativeNotificationCenter.finish($0, within: limit, clock: clock) }
    }

    /// Has the native centers finished that have the observers of this one.
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

    /// Finishes several centers at once.
    @export(implementation)
    package static func finish(
        _ centers: [NativeNotificationCenter], within limit: Duration, clock: any Clock<Duration>
    ) async -> [ObservationStatus] {
        // Observers whose owners are gone end now: what waits to be handed to them again is not waited for.
        for center in centers { _ = center.queues }
        let channels = centers.flatMap { $0.channels.finish() }
        // All of them are closed before the first one is looked at, so that they close together, as nearly as can be.
        for channel in channels {
            let host = CenterChannelHost.of(channel)
            // Before the channel: it waits for the posts that were kept until now, so that what a late observer begins with reaches the
            // others, too. What registrations that are under way hand over is kept until they have.
            host.latest?.stop()
            channel.finish { host.latest?.close() }
        }
        let finish = CenterFinish(of: channels)
        await finish.wait.run(within: limit, clock: clock)
        finish.excused.endWait()
        finish.giveUp()
        // The channels live as long as their centers.
        defer { extendLifetime(centers) }
        return finish.left
    }
}

/// The wait for the end of channels: for the posts that are under way, which put something into queues, and then for the queues.
@usableFromInline
struct CenterFinish {
    @usableFromInline
    struct Part {
        @usableFromInline let channel: Channel
        /// The queues of its observers, each with its number in the wait.
        @usableFromInline let queues: [ObjectIdentifier: (number: Int, queue: any ObserverQueue)]

        @export(implementation)
        init(channel: Channel, queues: [ObjectIdentifier: (number: Int, queue: any ObserverQueue)]) {
            (self.channel, self.queues) = (channel, queues)
        }
    }

    @usableFromInline let wait = BoundedWait()
    @usableFromInline let excused: ExcusedQueues
    @usableFromInline let parts: [Part]

    /// Begins to wait for channels that have begun to finish.
    @export(implementation)
    init(of channels: [Channel]) {
        // The first numbers are those of the channels.
        var number = channels.count
        parts = channels.map { channel in
            let queues = channel.finishing().entries.compactMap { ObserverRegistration($0.details).queue }
            let numbered = queues.map { queue in
                number += 1
                return (ObjectIdentifier(queue), (number: number, queue: queue))
            }
            return Part(channel: channel, queues: Dictionary(numbered) { first, _ in first })
        }
        excused = ExcusedQueues(among: parts.flatMap { $0.queues.values.map(\.queue) })
        for (index, part) in parts.enumerated() {
            let queues = part.queues.values.filter { !excused.contains($0.queue) }
            for number in [index] + queues.map(\.number) { wait.add(number) }
            part.channel.finish { [wait] in
                // A wait that was given up meanwhile would leave its closures there.
                for (number, queue) in queues where !wait.isOver {
                    queue.whenHandled(for: ObjectIdentifier(wait)) { wait.remove(number) }
                }
                wait.remove(index)
            }
        }
    }

    /// Releases what waits for queues that have not handled everything in time.
    @usableFromInline
    func giveUp() {
        for queue in parts.flatMap(\.queues.values) { queue.queue.giveUp(ObjectIdentifier(wait)) }
    }

    /// The observations that have not finished.
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
            // What a post that has not ended may yet put into a queue is not known.
            return haveLeft && isPending || queue.status.queued > 0 || !haveLeft && queue.status.isRunning
        }
        // A post may be between two calls.
        let isBetween = !haveLeft && left.isEmpty
        return (isBetween ? all : left).map { ObservationStatus($0, host) }
    }
}
