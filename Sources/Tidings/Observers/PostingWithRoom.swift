/// What a post waits for before it is made.
public struct PostingWait: Sendable {
    fileprivate let limit: (duration: Duration, clock: any Clock<Duration>)?

    /// Room in the queues of the observers that ask for back pressure, for as long as it takes.
    public static let room = PostingWait(limit: nil)

    /// Room in the queues of the observers that ask for back pressure, for a time at most.
    ///
    /// - Parameters:
    ///   - limit: The time. When it is over, nothing is posted, and a ``NoRoomError`` is thrown.
    ///   - clock: The clock that measures it.
    /// - Returns: What to wait for.
    public static func room(within limit: Duration, clock: any Clock<Duration> = ContinuousClock()) -> PostingWait {
        PostingWait(limit: (limit, clock))
    }
}

/// Nothing was posted, as there was no room in time in the queue of an observer that asks for back pressure.
public struct NoRoomError: Error, Hashable, CustomStringConvertible {
    /// The observer whose queue was full.
    @export(implementation) public let observer: DeliveryReceipt.Observer?

    /// What was full, in one sentence.
    public var description: String {
        "nothing was posted, as there was no room in time in a queue" + (observer.map { ": \($0)" } ?? "")
    }
}

extension TypedNotificationCenter {
    /// Waits until the observers that ask for back pressure have room for a notification, and posts it.
    ///
    /// An observer asks for back pressure by its buffering policy: ``BufferingPolicy/backPressure(_:)``. While its queue is full, this is
    /// suspended; of several that wait, the one that came first goes on first. Observers in the post, and those of another policy, are
    /// not waited for, nor are those that the post does not reach because of its sender or their condition, which is asked once more for
    /// that.
    ///
    /// ```swift
    /// center.addObserver(projection, on: .actor, for: Placed.self, buffering: .backPressure(100)) { me, note in await me.store(note) }
    /// try await center.post(Placed(order: order), waitingFor: .room)
    /// ```
    ///
    /// The end of the observation, and that of the center, end the wait. The notification is then posted to those who are left. An observer
    /// that posts what it is itself full of does not wait for itself, nor for an observer that waits for it: it goes on at once, and its
    /// notification waits beyond the limit.
    ///
    /// A sequence asks for back pressure for as long as it exists, also before anybody has begun to read it. A center of your own that does
    /// not forward waits for nobody, as only that one knows its observers; nor does the queue of a Combine publisher. In Foundation's
    /// center, an observer of another sender is waited for, too.
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - wait: What to wait for: ``PostingWait/room``, or ``PostingWait/room(within:clock:)``.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: How many observers were called.
    /// - Throws: A `CancellationError` if the task is cancelled, and a ``NoRoomError`` if the time is over. Nothing was posted then.
    @discardableResult
    public func post<N: TypedNotification & Sendable>(
        _ notification: N, waitingFor wait: PostingWait, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Int {
        try Task.checkCancellation()
        let queues = listing?.queues(reachedBy: notification).compactMap { $0 as? any RoomQueue } ?? []
        let keepers = queues.flatMap { $0.roomKeepers(for: notification) }
        let room = try await TakenRoom.take(in: keepers, for: wait)
        defer { room.giveBack() }
        return post(notification, fileID: fileID, line: line)
    }
}

/// The room that a poster has taken in several queues.
private struct TakenRoom {
    private let keepers: [any RoomKeeper]

    func giveBack() {
        for keeper in keepers { keeper.giveRoomBack() }
    }

    /// Takes room in queues, and waits for it where one is full.
    ///
    /// An observer's call does not wait for its own queue, nor for that of an observer that waits for the call.
    static func take(in keepers: [any RoomKeeper], for posting: PostingWait) async throws -> TakenRoom {
        if RoomClaim.takeAtOnce(in: keepers) { return TakenRoom(keepers: keepers) }
        let call = CallContext.current?.call
        let waited = keepers.filter { keeper in
            call.map { call in WaitGraph.update { $0.beginDrain(call, of: keeper.node) } } ?? true
        }
        defer {
            if let call { WaitGraph.update { graph in for keeper in waited { graph.endWait(call, for: keeper.node) } } }
        }
        let wait = BoundedWait()
        wait.add(0)
        let limit = posting.limit.map { WaitLimit($0.duration, $0.clock) { wait.giveUp() } }
        defer { limit?.end() }
        let claim = RoomClaim.make(in: waited) { wait.remove(0) }
        await wait.run()
        // Room may have been taken at the last moment.
        if let full = claim.giveUp() {
            throw Task.isCancelled ? CancellationError() as any Error : NoRoomError(observer: full.observer)
        }
        return TakenRoom(keepers: waited)
    }
}

extension RoomKeeper {
    fileprivate var node: WaitGraph.Node { .mailbox(ObjectIdentifier(self)) }
}
