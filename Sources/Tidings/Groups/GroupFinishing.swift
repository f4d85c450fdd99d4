extension ObserverGroup {
    /// Stops accepting members, and waits until all members have finished, or until the time limit has passed.
    ///
    /// The group's center finishes first, if it has one; see ``TypedNotificationCenter/finish(within:clock:)``. Then
    /// the observations of the group end, their queues are handled, and the tasks that read sequences complete. Then
    /// each consumer handles the messages that are queued for it, and is removed from its bus. A message that another
    /// consumer dispatches in the meantime may be discarded. Finally, the group releases everything.
    ///
    /// Members that haven't finished when the time limit passes are released as well, and continue their work. You can
    /// call this method several times, even concurrently. If an observer calls this method, the method doesn't wait for
    /// that observer.
    ///
    /// ```swift
    /// let left = await group.finish(within: .seconds(5))
    /// for observer in left { print("\(group.name) gave up on \(observer)") }
    /// ```
    ///
    /// - Parameters:
    ///   - limit: How long to wait. Cancelling the task also ends the wait.
    ///   - clock: The clock that measures the time.
    /// - Returns: The members and the center's other observers that hadn't finished, because something was queued or a
    ///   call was running. Members that only waited for another member aren't included.
    @discardableResult
    @export(implementation)
    public func finish(within limit: Duration, clock: any Clock<Duration> = ContinuousClock()) async -> [Unfinished] {
        let members = contents.withLock { contents in
            contents.hasFinished = true
            return contents.members
        }
        let wait = BoundedWait()
        let excused = ExcusedQueues(among: members.compactMap(\.queue))
        // The center is finished without a limit of its own, because that limit would begin later than the group's.
        // The task below is cancelled when the group's limit has passed.
        let centerNumber = members.count
        wait.add(centerNumber)
        let finishing = Task { [center] in
            let left = await center?.finishListed {
                await NativeNotificationCenter.finish($0, within: nil, clock: clock)
            }
            wait.remove(centerNumber)
            return left ?? []
        }
        var observers: [Task<Void, Never>] = []
        for (number, member) in members.enumerated() where member.observesCenter {
            if let queue = member.queue, excused.contains(queue) {
                // This observer called `finish`, or waits for the caller of `finish`. Waiting for this observer would
                // cause a deadlock.
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
        // Consumers come last, because observers may send messages to consumers until the observers have finished.
        var consumers: [Task<Void, Never>] = []
        for (number, member) in members.enumerated() where !member.observesCenter {
            wait.add(number)
            consumers.append(
                Task { [observers] in
                    for observer in observers { await observer.value }
                    await member.finish()
                    wait.remove(number)
                })
        }
        await wait.run(within: limit, clock: clock)
        finishing.cancel()
        for consumer in consumers { consumer.cancel() }
        let ofCenter = await finishing.value
        excused.endWait()
        let pending = wait.pending
        // The members and objects are released after the unlock, because the release may run user code.
        let released = contents.withLock { contents in
            let released = (contents.members, contents.objects)
            (contents.members, contents.objects) = ([], [])
            return released
        }
        defer { withExtendedLifetime(released) {} }
        // The name is removed last, because descriptions of unfinished members and reports of their end contain it.
        defer { for member in released.0 { ObserverNames.ofGroups.set(nil, of: member.numbers) } }
        return left(of: members, ofWhich: pending, ofCenter)
    }

    /// Returns the unfinished members and observers. A member in `pending` that the center also reports in `statuses`
    /// is listed once. A member in `pending` without a running call or queued elements only waited, so it isn't listed.
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
