#if NATS
    import CNATS
    import Dispatch
    import Synchronization
    import TidingsRelay

    /// A subscription, with the thread on which its messages are received. Both end when ``cancel()`` is called.
    ///
    /// The C client would wake a thread of its own for each message, which costs more than the message itself. Here the loop of the
    /// connection wakes this one, if it sleeps, for all messages that it has read in one go.
    @safe
    // The pointer never changes, and the C client may be used by all threads.
    final class NATSSubscription: @unchecked Sendable {
        private let pointer: OpaquePointer
        private let receive: @Sendable (RelayMessage) -> Void
        private let sleep = DispatchSemaphore(value: 0)
        /// Whether the thread will look for messages before it sleeps again.
        private let isAwake = Atomic(true)
        private let isOver = Atomic(false)

        /// Takes a subscription over.
        ///
        /// - Parameters:
        ///   - pointer: The subscription of the C client, without a function that it calls.
        ///   - receive: Called with each message, on the thread.
        /// - Throws: A fault if there is no thread.
        init(_ pointer: OpaquePointer, receive: @escaping @Sendable (RelayMessage) -> Void) throws(RelayFault) {
            unsafe self.pointer = pointer
            self.receive = receive
            // The thread keeps this alive.
            if !PlainThread.start({ self.run() }) {
                throw RelayFault(.connectionLost, "the process can have no more threads")
            }
        }

        deinit { unsafe natsSubscription_Destroy(pointer) }

        /// Whether something waits to be received.
        var hasMessages: Bool {
            var count: UInt64 = 0
            return unsafe natsSubscription_QueuedMsgs(pointer, &count) == NATS_OK && count > 0
        }

        /// Has the thread look whether there are messages.
        func wake() {
            if !isAwake.exchange(true, ordering: .sequentiallyConsistent) { sleep.signal() }
        }

        /// Ends the subscription. What has not been received yet is dropped.
        func cancel() {
            isOver.store(true, ordering: .sequentiallyConsistent)
            wake()
        }

        private func run() {
            var used = UsedMessages()
            while !isOver.load(ordering: .sequentiallyConsistent) {
                if receiveOne(&used) {
                    if used.count >= 64 { used.free() }
                    continue
                }
                used.free()
                isAwake.store(false, ordering: .sequentiallyConsistent)
                // What came before that woke nobody.
                if isOver.load(ordering: .sequentiallyConsistent) { break }
                if receiveOne(&used) {
                    isAwake.store(true, ordering: .sequentiallyConsistent)
                } else {
                    sleep.wait()
                }
            }
        }

        /// Receives a message, if there is one.
        private func receiveOne(_ used: inout UsedMessages) -> Bool {
            var next: OpaquePointer?
            let status = unsafe natsSubscription_NextMsg(&next, pointer, 0)
            // It says once that messages were dropped, which is reported elsewhere.
            if status == NATS_SLOW_CONSUMER { return true }
            guard status == NATS_OK, let message = unsafe next else { return false }
            let copy = unsafe RelayMessage(copying: message)
            unsafe used.append(message)
            receive(copy)
            return true
        }
    }

    /// Keeps a subscription, which ends when this is released.
    final class SubscriptionToken: Sendable {
        private let subscription: NATSSubscription
        private let loop: EventLoop

        init(_ subscription: NATSSubscription, on loop: EventLoop) {
            self.subscription = subscription
            self.loop = loop
            loop.add(subscription)
        }

        deinit {
            loop.remove(subscription)
            subscription.cancel()
        }
    }
#endif
