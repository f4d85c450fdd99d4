#if NATS
    import CNATS
    import Tidings

    #if canImport(Darwin)
        import Darwin
    #else
        import Glibc
    #endif

    /// The thread that reads and writes one connection's socket whenever `poll` reports that it is ready.
    ///
    /// It drives the C client instead of the client's own threads, with which a post waits while the server accepts
    /// nothing. The client tells the loop, under its own lock, which calls it needs. The loop records them and doesn't
    /// call back there.
    @safe
    // `connection` is set before the thread starts; everything else has a lock or is constant.
    final class EventLoop: @unchecked Sendable {
        private struct State: Equatable {
            var socket: Int32 = -1
            var reads = false
            var writes = false
            var isOver = false
        }

        private let state = Lock(State())
        private let queue = SendQueue()
        /// Called when the C client rejects a message.
        private let refused: @Sendable (RelayMessage, natsStatus) -> Void
        /// Called with the number of transient messages that aren't sent because the connection has ended.
        private let dropped: @Sendable (Int) -> Void
        private let wakeUp: WakeUpPipe
        private var connection: OpaquePointer?
        private let ended = Flag()

        /// Creates a loop, or returns `nil` if the process has no file descriptors left.
        ///
        /// - Parameters:
        ///   - refused: Called when the C client rejects a message.
        ///   - dropped: Called with the number of transient messages that aren't sent.
        init?(
            refused: @escaping @Sendable (RelayMessage, natsStatus) -> Void, dropped: @escaping @Sendable (Int) -> Void
        ) {
            guard let wakeUp = WakeUpPipe() else { return nil }
            self.refused = refused
            self.dropped = dropped
            self.wakeUp = wakeUp
        }

        /// Starts the thread for a connection, which outlives the thread: the code that destroys the connection waits
        /// for ``waitForEnd()`` first.
        ///
        /// - Returns: Whether the thread was created.
        func start(_ connection: OpaquePointer, socket: Int32) -> Bool {
            unsafe self.connection = connection
            state.withLock { state in
                state.socket = socket
                state.reads = true
            }
            return startThread { self.run() }
        }

        /// Returns the loop to which the C client refers. The loop exists as long as the client calls it.
        static func at(_ pointer: UnsafeMutableRawPointer?) -> EventLoop? {
            unsafe pointer.map { unsafe Unmanaged<EventLoop>.fromOpaque($0).takeUnretainedValue() }
        }

        func setReads(_ isOn: Bool) {
            state.withLock { $0.reads = isOn }
            wakeUp.wake()
        }

        func setWrites(_ isOn: Bool) {
            state.withLock { $0.writes = isOn }
            if isOn { wakeUp.wake() }
        }

        /// Sends a message soon.
        ///
        /// - Returns: Whether it will be sent. No message is sent after the connection has ended.
        func send(_ message: RelayMessage) -> Bool {
            if !queue.append(message) { return false }
            wakeUp.wake()
            return true
        }

        /// The number of bytes that the server hasn't received yet.
        var backlog: Int { queue.backlog }

        /// Returns when all earlier messages have been passed to the C client.
        func handOverEverything() async {
            await withCheckedContinuation { continuation in
                queue.mark(continuation)
                wakeUp.wake()
            }
        }

        func stop() {
            state.withLock { $0.isOver = true }
            wakeUp.wake()
        }

        /// Returns when the thread no longer uses the connection.
        func waitForEnd() async { await ended.wait() }

        private func run() {
            var work = Work()
            while true {
                let now = state.withLock { $0 }
                if now.isOver { break }
                if !now.writes, handOver(&work) {
                    if queue.isBurst { wait(now, atMost: 1) }
                    continue
                }
                wakeUp.fallAsleep()
                // A message that arrived before hasn't woken the loop.
                let current = state.withLock { $0 }
                if current == now, current.writes || queue.isEmpty {
                    wait(current, atMost: -1)
                } else {
                    wakeUp.stayAwake()
                }
            }
            let unsent = work.batch.transients(from: work.position) + queue.end()
            if unsent > 0 { dropped(unsent) }
            work.batch.resume(upTo: .max)
            ended.set()
        }

        /// The messages that were taken from the queue.
        private struct Work: ~Copyable {
            var batch = SendBatch()
            var used = UsedMessages()
            /// The number of messages that were passed to the C client, and the number of bytes that it has to write.
            var position = 0
            var unwritten = 0
        }

        /// Passes queued messages to the C client when it has written the previous ones, and makes it write them.
        ///
        /// It passes no more at a time than is written at once, because the client moves the rest with each write.
        ///
        /// - Returns: Whether there were any.
        private func handOver(_ work: inout Work) -> Bool {
            if work.unwritten > 0 { queue.noteWritten(work.unwritten) }
            work.unwritten = 0
            if work.position == work.batch.frames.count {
                work.batch.clear()
                work.position = 0
                queue.take(&work.batch)
                if work.batch.isEmpty { return false }
            }
            while work.position < work.batch.frames.count, work.unwritten < 1 << 18 {
                let frame = work.batch.frames[work.position]
                work.unwritten += frame.end - frame.subject
                // The connection exists until the loop has ended.
                let status = unsafe work.batch.publish(frame, over: connection, keeping: &work.used)
                if status != NATS_OK { refused(work.batch.message(frame), status) }
                work.position += 1
            }
            work.used.free()
            work.batch.resume(upTo: work.position)
            // The client accepts no writes once the connection has ended.
            if state.withLock({ $0.writes }) { unsafe natsConnection_ProcessWriteEvent(connection) }
            return true
        }

        /// Waits until the socket is ready or the loop is woken, and makes the C client read and write.
        ///
        /// - Parameters:
        ///   - state: The events to wait for.
        ///   - milliseconds: The maximum time; negative for no limit.
        private func wait(_ state: State, atMost milliseconds: Int32) {
            let events = Int16(state.reads ? POLLIN : 0) | Int16(state.writes ? POLLOUT : 0)
            let found = wakeUp.wait(for: state.socket, events, atMost: milliseconds)
            // The connection exists until the loop has ended.
            if found & (POLLIN | POLLHUP | POLLERR | POLLNVAL) != 0 {
                unsafe natsConnection_ProcessReadEvent(connection)
            }
            if found & POLLOUT != 0 { unsafe natsConnection_ProcessWriteEvent(connection) }
        }
    }
#endif
