#if NATS
    import CNATS

    #if canImport(Darwin)
        import Darwin
    #else
        import Glibc
    #endif

    /// An event loop that replaces the C client's socket threads, which would make a post wait while the server accepts
    /// no data. The C client calls `setReads` and `setWrites` while it holds a lock, so both only wake the loop.
    @safe
    // `connection` is set before the thread starts. Everything else is constant or has a lock.
    final class EventLoop: @unchecked Sendable {
        private struct State: Equatable {
            var socket: Int32 = -1
            var reads = false
            var writes = false
            var isOver = false
        }

        private let state = Lock(State())
        private let queue = SendQueue()
        private let refused: @Sendable (RelayMessage, natsStatus) -> Void
        private let dropped: @Sendable (Int) -> Void
        private let wakeUp: WakeUpPipe
        private var connection: OpaquePointer?
        private let ended = Flag()

        init?(
            refused: @escaping @Sendable (RelayMessage, natsStatus) -> Void, dropped: @escaping @Sendable (Int) -> Void
        ) {
            guard let wakeUp = WakeUpPipe() else { return nil }
            self.refused = refused
            self.dropped = dropped
            self.wakeUp = wakeUp
        }

        /// Starts the thread. The connection is destroyed only after the thread has ended: see ``waitForEnd()``.
        func start(_ connection: OpaquePointer, socket: Int32) -> Bool {
            unsafe self.connection = connection
            state.withLock { state in
                state.socket = socket
                state.reads = true
            }
            return startThread { self.run() }
        }

        /// Returns the loop for a pointer that the C client passes. The loop outlives all calls by the C client.
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

        func send(_ message: RelayMessage) -> Bool {
            if !queue.append(message) { return false }
            wakeUp.wake()
            return true
        }

        var backlog: Int { queue.backlog }

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
                // A message queued before `fallAsleep` didn't wake the loop, so the loop checks the queue again.
                let current = state.withLock { $0 }
                if current == now, current.writes || queue.isEmpty {
                    wait(current, atMost: -1)
                } else {
                    wakeUp.stayAwake()
                }
            }
            let unsent = work.unsent + work.batch.transients(from: work.position) + queue.end()
            if unsent > 0 { dropped(unsent) }
            work.batch.resume(upTo: .max)
            ended.set()
        }

        private struct Work: ~Copyable {
            var batch = SendBatch()
            var used = UsedMessages()
            /// `position` counts the messages passed to the C client, and `unwritten` counts their unwritten bytes.
            var position = 0
            var unwritten = 0
            /// The number of lost transient messages. Unsent durable messages aren't counted, because they aren't lost:
            /// they are sent again after the relay has reconnected.
            var unsent = 0
        }

        /// Passes queued messages to the C client, but only as many bytes as one write can send, because the client
        /// copies all unwritten bytes after each write.
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
                if status == NATS_CONNECTION_CLOSED {
                    if work.batch.isTransient(frame) { work.unsent += 1 }
                } else if status != NATS_OK {
                    refused(work.batch.message(frame), status)
                }
                work.position += 1
            }
            work.used.free()
            work.batch.resume(upTo: work.position)
            // `writes` is false once the connection has ended, because the C client then requests no write.
            if state.withLock({ $0.writes }) { unsafe natsConnection_ProcessWriteEvent(connection) }
            return true
        }

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
