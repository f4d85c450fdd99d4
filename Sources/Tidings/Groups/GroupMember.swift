/// One thing that a group holds, and how it is brought to an end: an observation, a consumer of a bus, or a task that reads a
/// sequence.
@usableFromInline
struct GroupMember: Sendable {
    /// Takes nothing new, and returns when what was there is handled.
    @export(implementation) let finish: @Sendable () async -> Void

    /// Ends without handling what waits.
    @export(implementation) let abandon: @Sendable () -> Void

    /// What of the member has not finished, as it stands; `nil` if nothing waits, and no call is running. Handed in is the status by
    /// which the group's center says that the observer has not finished, if it does.
    @export(implementation) let left: @Sendable (ObservationStatus?) -> ObserverGroup.Unfinished?

    /// The observer's queue, if it has one.
    @export(implementation) let queue: (any ObserverQueue)?

    /// The numbers by which monitors know its observers.
    @export(implementation) let numbers: [UInt64]

    /// Whether it gets its notifications from a center, and so ends with it.
    @export(implementation) let observesCenter: Bool

    @export(implementation)
    init(_ token: NotificationToken, from place: SourcePlace) {
        let observation = token.observation
        let queued = observation as? any QueuedObservation
        let (owner, queue) = (token.owner?.living, queued?.queue)
        let observer = queued?.observer
        finish = {
            if let queued { queued.cancelKeepingQueue() } else { observation.cancel() }
            await observation.waitForPosts()
            await queue?.handled()
            // The owner is held as long as the group holds this.
            withExtendedLifetime(owner) {}
        }
        abandon = { token.cancel() }
        left = { known in
            if let known { return .init(known) }
            let place = observer?.place ?? place
            let words = observer.map { "\($0)" } ?? "an observer in the post, stored at \(place)"
            return .init(words, place, queue?.status ?? QueueStatus(isRunning: observation.mayBeCalled))
        }
        self.queue = queue
        numbers = observation.knownNumbers
        observesCenter = true
    }

    @export(implementation)
    init<Message, Consumer: MessageConsumer<Message>>(_ consumer: Consumer, of bus: MessageBus<Message>) {
        let subscriber = bus.state.withLock { $0.subscribers[ObjectIdentifier(consumer)] }
        finish = {
            await subscriber?.mailbox.handled()
            bus.remove(consumer)
        }
        abandon = { bus.remove(consumer) }
        left = { _ in
            guard let subscriber, let status = ObservationStatus(subscriber) else { return nil }
            return .init(
                "\(status.owner ?? ""), added at \(status.place)", status.place, subscriber.mailbox.status)
        }
        queue = nil
        numbers = subscriber.map { [$0.serial] } ?? []
        observesCenter = false
    }

    @export(implementation)
    init<Element>(
        _ sequence: NotificationSequence<Element>, from place: SourcePlace,
        with body: @escaping @Sendable (Element) async -> Void
    ) {
        // The iterator is made before the task begins, and is what the task holds.
        let iterator = sequence.makeAsyncIterator()
        let work = ReadingWork()
        let task = Task {
            var iterator = iterator
            while let element = await iterator.next() {
                work.begin()
                await body(element)
                work.end()
            }
        }
        finish = {
            await sequence.endObservation()
            await task.value
        }
        abandon = { task.cancel() }
        left = { _ in
            .init("a task that reads a sequence, from \(place)", place, work.status(waiting: sequence.waiting))
        }
        queue = nil
        numbers = sequence.numbers
        observesCenter = true
    }
}

/// Since when the task that reads a sequence has been at work on an element.
@usableFromInline
final class ReadingWork: Sendable {
    @export(implementation) let began = Lock<Int64?>(nil)

    @export(implementation)
    init() {}

    @export(implementation)
    func begin() { began.withLock { $0 = CallProgress.now } }
    @export(implementation)
    func end() { began.withLock { $0 = nil } }

    /// What the task is doing, while so many elements wait.
    @export(implementation)
    func status(waiting: Int) -> QueueStatus {
        guard let began = began.withLock({ $0 }) else { return QueueStatus(queued: waiting) }
        var calls = CallStatus()
        calls.turnDuration = .nanoseconds(max(0, CallProgress.now - began))
        calls.isOneCall = true
        return QueueStatus(queued: waiting, isRunning: true, calls: calls)
    }
}

/// An observation whose notifications wait in a queue.
@usableFromInline
protocol QueuedObservation: ObserverHandle {
    var queue: any ObserverQueue { get }

    /// The observer, as receipts name it.
    var observer: DeliveryReceipt.Observer? { get }

    /// Ends the observation. What waits in the queue is still handled.
    func cancelKeepingQueue()

    /// Returns when no post puts anything into the queue any more.
    func waitForPosts() async
}

extension MailboxObservation: QueuedObservation {
    @usableFromInline var queue: any ObserverQueue { mailbox }
    @usableFromInline var observer: DeliveryReceipt.Observer? { mailbox.observer }
    @usableFromInline func cancelKeepingQueue() { base.cancel() }
    @usableFromInline func waitForPosts() async { await base.drain() }
}

extension ObserverHandle {
    /// Returns when no post calls the observer any more.
    @export(implementation)
    func waitForPosts() async {
        if let queued = self as? any QueuedObservation { await queued.waitForPosts() } else { await drain() }
    }
}

extension ObserverQueue {
    /// Returns when everything that has been put into the queue by now was handled.
    @export(implementation)
    func handled() async {
        await withCheckedContinuation { continuation in
            whenHandled(for: nil) { continuation.resume() }
        }
    }
}
