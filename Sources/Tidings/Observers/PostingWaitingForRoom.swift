/// The error that is thrown if nothing was posted, because the queue of an observer with back pressure had no room in
/// time.
public struct NoRoomError: Error, Hashable, CustomStringConvertible {
    /// The observer whose queue was full; `nil` if it isn't known.
    @export(implementation) public let observer: DeliveryReceipt.Observer?

    /// A sentence that describes the error, and names the observer if it is known.
    public var description: String {
        "nothing was posted, because a queue had no room within the time limit" + (observer.map { ": \($0)" } ?? "")
    }
}

extension TypedNotificationCenter {
    /// Waits until the observers with back pressure have room for a notification, and then posts it.
    ///
    /// An observer requests back pressure with ``BufferingPolicy/backPressure(_:)``. While its queue is full, this
    /// method is suspended. If several calls wait, they resume in the order in which they were made. The method waits
    /// only for observers whose sender and condition match, so it evaluates each condition an additional time.
    ///
    /// ```swift
    /// center.addObserver(projection, on: .actor, for: Placed.self, buffering: .backPressure(100)) { me, note in await me.store(note) }
    /// try await center.postWaitingForRoom(Placed(order: order))
    /// ```
    ///
    /// The wait for an observer ends when its observation or the center ends. An observer that calls this method
    /// doesn't wait for room in its own queue, or in the queue of an observer that waits for the caller. If such a
    /// queue is full, the notification is queued beyond the limit.
    ///
    /// A sequence applies back pressure even before its consumer has begun to read it. A Combine publisher applies
    /// none, and neither does a center of your own that doesn't forward. In Foundation's center, the method also waits
    /// for observers of other senders.
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - limit: The maximum time to wait, or `nil` to wait without a limit.
    ///   - clock: The clock that measures the time.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: The number of observers called.
    /// - Throws: `CancellationError` if the task is cancelled, or ``NoRoomError`` after the time limit. In both cases,
    ///   nothing is posted.
    @discardableResult
    public func postWaitingForRoom<N: TypedNotification & Sendable>(
        _ notification: N, within limit: Duration? = nil, clock: any Clock<Duration> = ContinuousClock(),
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Int {
        try Task.checkCancellation()
        let queues = listing?.queues(reachedBy: notification).compactMap { $0 as? any RoomQueue } ?? []
        // A sequence that names the notification type twice lists its queue twice, and each queue may occur only once.
        var found: Set<ObjectIdentifier> = []
        let keepers = queues.flatMap { $0.roomKeepers(for: notification) }
            .filter { found.insert(ObjectIdentifier($0)).inserted }
        let room = try await TakenRoom.take(in: keepers, within: limit, clock)
        defer { room.giveBack() }
        return post(notification, fileID: fileID, line: line)
    }
}

private struct TakenRoom {
    private let keepers: [any RoomKeeper]

    func giveBack() {
        for keeper in keepers { keeper.giveRoomBack() }
    }

    static func take(
        in keepers: [any RoomKeeper], within limit: Duration?, _ clock: any Clock<Duration>
    ) async throws -> TakenRoom {
        if RoomClaim.takeAtOnce(in: keepers) { return TakenRoom(keepers: keepers) }
        let call = CallContext.current?.call
        let waited = keepers.filter { keeper in
            call.map { call in WaitGraph.update { $0.beginDrain(call, of: keeper.node) } } ?? true
        }
        defer {
            if let call {
                let nodes = waited.map { $0.node }
                WaitGraph.update { $0.endWaits(call, for: nodes) }
            }
        }
        let wait = BoundedWait()
        wait.add(0)
        let timer = limit.map { WaitLimit($0, clock) { wait.giveUp() } }
        defer { timer?.end() }
        let claim = RoomClaim.make(in: waited) { wait.remove(0) }
        await wait.run()
        // `giveUp` returns `nil` if room is reserved, even if it became available just after the time limit.
        if let full = claim.giveUp() {
            throw Task.isCancelled ? CancellationError() as any Error : NoRoomError(observer: full.observer)
        }
        return TakenRoom(keepers: waited)
    }
}

extension RoomKeeper {
    fileprivate var node: WaitGraph.Node { .mailbox(ObjectIdentifier(self)) }
}
