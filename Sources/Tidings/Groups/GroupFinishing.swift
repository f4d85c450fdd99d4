extension ObserverGroup {
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
    /// for observer in left { print("\(group.name) gave up on \(observer)") }
    /// ```
    ///
    /// - Parameters:
    ///   - limit: How long to wait. Cancelling the task ends the wait, too.
    ///   - clock: The clock that measures the time.
    /// - Returns: What had not finished: observers, consumers and tasks for which something waits, or of which a call is running. One
    ///   that only waited for another to finish is not among them.
    @discardableResult
    @export(implementation)
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
        return left(of: members, ofWhich: pending, ofCenter)
    }

    /// What has not finished: of the members those that the center names, or that are at work; and the other observers of the center.
    ///
    /// - Parameters:
    ///   - members: The members.
    ///   - pending: The numbers of those whose end is waited for. One that has yet to begin its end, as another observer of the center
    ///     keeps it waiting, is one of them, also if it has nothing to do.
    ///   - statuses: What the center says has not finished.
    /// - Returns: What has not finished, each once.
    @export(implementation)
    func left(
        of members: [GroupMember], ofWhich pending: Set<Int>, _ statuses: [ObservationStatus]
    ) -> [Unfinished] {
        var ofCenter = Dictionary(statuses.map { ($0.id.number, $0) }) { first, _ in first }
        var left: [Unfinished] = []
        for (number, member) in members.enumerated() {
            let known = member.numbers.compactMap { ofCenter.removeValue(forKey: $0) }.first
            if known != nil || pending.contains(number), let unfinished = member.left(known) {
                left.append(unfinished)
            }
        }
        return left + statuses.filter { ofCenter[$0.id.number] != nil }.compactMap { Unfinished($0) }
    }
}
