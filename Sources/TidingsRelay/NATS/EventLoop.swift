#if NATS
    import CNATS
    import Tidings

    #if canImport(Darwin)
        import Darwin
    #else
        import Glibc
    #endif

    /// The thread that reads and writes one connection's socket, whenever `poll` says that it can.
    ///
    /// The C client is driven by it instead of by threads of its own, with which a post waits while the server takes nothing. It tells
    /// the loop, under its own lock, what it wants to be called for; the loop notes that and does not call back there.
    @safe
    // `connection` is set before the thread starts; all else is locked or constant.
    final class EventLoop: @unchecked Sendable {
        private struct State: Equatable {
            var socket: Int32 = -1
            var reads = false
            var writes = false
            var isOver = false
        }

        private let state = Lock(State())
        private let queue = SendQueue()
        /// Told when the C client refuses a message.
        private let refused: @Sendable (RelayMessage, natsStatus) -> Void
        /// Told how many messages that nobody waits for are not sent, as the connection has ended.
        private let dropped: @Sendable (Int) -> Void
        private let wakeUp: WakeUpPipe
        private var connection: OpaquePointer?
        private let ended = Flag()

        /// Makes a loop; `nil` if the process has no file left.
        ///
        /// - Parameters:
        ///   - refused: Told when the C client refuses a message.
        ///   - dropped: Told how many messages that nobody waits for are not sent.
        init?(
            refused: @escaping @Sendable (RelayMessage, natsStatus) -> Void, dropped: @escaping @Sendable (Int) -> Void
        ) {
            guard let wakeUp = WakeUpPipe() else { return nil }
            self.refused = refused
            self.dropped = dropped
            self.wakeUp = wakeUp
        }

        /// Starts the thread for a connection, which outlives it: whoever destroys it waits for ``waitForEnd()`` first.
        ///
        /// - Returns: Whether there could be a thread.
        func start(_ connection: OpaquePointer, socket: Int32) -> Bool {
            unsafe self.connection = connection
            state.withLock { state in
                state.socket = socket
                state.reads = true
            }
            return startThread { self.run() }
        }

        /// The loop to which the C client refers, which exists as long as it calls.
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

        /// Sends a message, soon.
        ///
        /// - Returns: Whether it will be: nothing is when the connection has ended.
        func send(_ message: RelayMessage) -> Bool {
            if !queue.append(message) { return false }
            wakeUp.wake()
            return true
        }

        /// How many bytes wait for the server to take them.
        var backlog: Int { queue.backlog }

        /// Returns when the C client has everything that was sent before.
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

        /// Returns when the thread does not touch the connection any more.
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
                // Who came before that has not woken the loop.
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

        /// What was taken from the queue.
        private struct Work: ~Copyable {
            var batch = SendBatch()
            var used = UsedMessages()
            /// How many of its messages the C client was given, and how many bytes it has to write.
            var position = 0
            var unwritten = 0
        }

        /// Gives the C client what waits, when it has written what it had, and has it write that.
        ///
        /// It is given no more at a time than goes out at once: what is left over it moves with each write.
        ///
        /// - Returns: Whether there was anything.
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
            // It takes nothing to write for the end of the connection.
            if state.withLock({ $0.writes }) { unsafe natsConnection_ProcessWriteEvent(connection) }
            return true
        }

        /// Waits until the socket is ready, or somebody wakes the loop, and has the C client read and write.
        ///
        /// - Parameters:
        ///   - state: For what.
        ///   - milliseconds: For how long, at most; less than 0 for ever.
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
