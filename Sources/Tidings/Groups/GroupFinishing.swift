extension ObserverGroup {
    /// Something of a group that had not finished when the time was over.
    public struct Unfinished: Hashable, Sendable, CustomStringConvertible {
        /// The line of source that registered it, or added it to the group.
        public let place: SourcePlace

        /// What it is, in one phrase.
        public let description: String

        /// How many notifications or messages wait for it; the one that it is working on does not.
        public let queued: Int
    }

    /// Takes nothing new, and returns when everything that the group holds has finished, or when the time is over.
    ///
    /// The group's center finishes first, if it has one: see ``TypedNotificationCenter/finish(within:clock:)``. Then the
    /// observations that the group holds end, and what waits for them is handled; the tasks that read sequences come to their
    /// end. Then what was sent to consumers is handled, also what those observers have sent meanwhile, and the consumers are
    /// removed from their buses. In the end the group lets go of everything.
    ///
    /// What has not finished when the time is over is let go, too. It goes on as far as it can: what waits for an observer whose
    /// owner only the group held is discarded. This can be called several times, also at once, and an observer of the group may
    /// call it: it does not wait for itself.
    ///
    /// ```swift
    /// let left = await group.finish(within: .seconds(5))
    /// for observer in left { print("\(group.name): \(observer.place) has not finished, \(observer.queued) wait") }
    /// ```
    ///
    /// - Parameters:
    ///   - limit: How long to wait. Cancelling the task ends the wait, too.
    ///   - clock: The clock that measures the time.
    /// - Returns: What had not finished; nothing if all has.
    @discardableResult
    public func finish(within limit: Duration, clock: any Clock<Duration> = ContinuousClock()) async -> [Unfinished] {
        let members = contents.withLock { contents in
            contents.hasFinished = true
            return contents.members
        }
        let wait = BoundedWait()
        let excused = ExcusedQueues(among: members.compactMap(\.queue))
        let finishing = Task { [center] in await center?.finish(within: limit, clock: clock) ?? [] }
        var observers: [Task<Void, Never>] = []
        for (number, member) in members.enumerated() where member.observesCenter {
            if let queue = member.queue, excused.contains(queue) {
                // The observer that called this: it takes nothing more.
                Task { await member.finish() }
                continue
            }
            wait.add(number)
            observers.append(
                Task {
                    _ = await finishing.value
                    await member.finish()
                    wait.remove(number)
                })
        }
        // Consumers come last, as observers may send them messages to the end.
        for (number, member) in members.enumerated() where !member.observesCenter {
            wait.add(number)
            Task { [observers] in
                for observer in observers { await observer.value }
                await member.finish()
                wait.remove(number)
            }
        }
        let ofCenter = await withTaskCancellationHandler {
            await wait.run(within: limit, clock: clock)
            return await finishing.value
        } onCancel: {
            finishing.cancel()
        }
        excused.endWait()
        let pending = wait.pending
        // Released after the lock.
        let released = contents.withLock { contents in
            let released = (contents.members, contents.objects)
            (contents.members, contents.objects) = ([], [])
            return released
        }
        defer { withExtendedLifetime(released) {} }
        // Forgotten last: the descriptions of what is left, and what monitors are told of its end, have the group's name.
        defer { for member in released.0 { GroupNames.remove(member.numbers) } }
        return left(pending.sorted().flatMap { members[$0].left() }, ofCenter)
    }

    /// The observers that are left, of which the center may know some.
    private func left(_ members: [Unfinished], _ observations: [ObservationStatus]) -> [Unfinished] {
        let ofCenter = observations.map { status in
            Unfinished(place: status.place, description: "\(status.observer)", queued: status.queued)
        }
        let known = Set(ofCenter.map(\.place))
        return ofCenter + members.filter { !known.contains($0.place) }
    }
}
