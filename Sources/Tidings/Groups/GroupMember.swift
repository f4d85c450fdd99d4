@usableFromInline
struct GroupMember: Sendable {
    /// Stops accepting elements, and returns when the queued ones have been handled.
    @export(implementation) let finish: @Sendable () async -> Void

    @export(implementation) let abandon: @Sendable () -> Void

    /// Describes the member's unfinished work, if any. The argument is the center's status of the member, if any.
    @export(implementation) let left: @Sendable (ObservationStatus?) -> ObserverGroup.Unfinished?

    @export(implementation) let queue: (any ObserverQueue)?
    @export(implementation) let numbers: [UInt64]

    /// Whether the member observes a center. Otherwise it is a consumer of a bus, and finishes after all observers.
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
            // Captures the owner, so that the group keeps it alive together with this closure.
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
        // The consumer may be removed from the bus and added again, which gives it another queue.
        let find: @Sendable () -> Subscriber<Message>? = {
            bus.state.withLock { $0.subscribers[ObjectIdentifier(consumer)] }
        }
        finish = {
            // The consumer may even be added again during the wait. Its new queue is then waited for as well, unless the
            // group has stopped waiting.
            while let subscriber = find() {
                await subscriber.mailbox.handled()
                bus.remove(ObjectIdentifier(consumer), addedWith: subscriber.lifetime)
                if Task.isCancelled { return }
            }
        }
        abandon = { bus.remove(consumer) }
        left = { _ in
            guard let subscriber = find(), let status = ObservationStatus(subscriber) else { return nil }
            return .init(
                "\(status.owner ?? ""), added at \(status.place)", status.place, subscriber.mailbox.status)
        }
        queue = nil
        numbers = find().map { [$0.serial] } ?? []
        observesCenter = false
    }

    @export(implementation)
    init<Element>(
        _ sequence: NotificationSequence<Element>, from place: SourcePlace,
        with body: @escaping @Sendable (Element) async -> Void
    ) {
        // Created before the task begins, because an iterator may miss notifications posted before its creation.
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

@usableFromInline
final class ReadingWork: Sendable {
    @export(implementation) let began = Lock<Int64?>(nil)

    @export(implementation)
    init() {}

    @export(implementation)
    func begin() { began.withLock { $0 = CallProgress.now } }
    @export(implementation)
    func end() { began.withLock { $0 = nil } }

    @export(implementation)
    func status(waiting: Int) -> QueueStatus {
        guard let began = began.withLock({ $0 }) else { return QueueStatus(queued: waiting) }
        var calls = CallStatus()
        calls.turnDuration = .nanoseconds(max(0, CallProgress.now - began))
        calls.isOneCall = true
        return QueueStatus(queued: waiting, isRunning: true, calls: calls)
    }
}

extension ObserverHandle {
    @export(implementation)
    func waitForPosts() async {
        if let queued = self as? any QueuedObservation { await queued.waitForPosts() } else { await drain() }
    }
}

extension ObserverQueue {
    @export(implementation)
    func handled() async {
        await withCheckedContinuation { continuation in
            whenHandled(for: nil) { continuation.resume() }
        }
    }
}
