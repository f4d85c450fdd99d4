#if NATS
    import CNATS
    import Synchronization
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
        private struct State {
            var socket: Int32 = -1
            var reads = false
            var writes = false
            var isOver = false
        }

        private let state = Lock(State())
        /// A pipe that ends the wait of `poll`.
        private let wakeUp: (read: Int32, write: Int32)
        private let isWoken = Atomic(false)
        private var connection: OpaquePointer?
        private let ended = Lock<(isOver: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

        /// - Returns: `nil` if the process has no file left.
        init?() {
            var ends: [Int32] = [-1, -1]
            // Both numbers are written into the array, during the call.
            guard unsafe pipe(&ends) == 0 else { return nil }
            for end in ends {
                _ = fcntl(end, F_SETFL, O_NONBLOCK)
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            }
            wakeUp = (ends[0], ends[1])
        }

        deinit {
            close(wakeUp.read)
            close(wakeUp.write)
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
            // The thread owns this reference, and releases it when it ends.
            let me = unsafe Unmanaged.passRetained(self)
            // What `pthread_create` writes, and nobody reads.
            #if canImport(Darwin)
                var thread: pthread_t?
                let status = unsafe pthread_create(
                    &thread, nil,
                    { raw in
                        unsafe Unmanaged<EventLoop>.fromOpaque(raw).takeRetainedValue().run()
                        return nil
                    }, me.toOpaque())
                if let thread = unsafe thread, status == 0 { unsafe pthread_detach(thread) }
            #else
                var thread = pthread_t()
                let status = unsafe pthread_create(
                    &thread, nil,
                    { raw in
                        // The argument is the reference from above.
                        if let raw = unsafe raw {
                            unsafe Unmanaged<EventLoop>.fromOpaque(raw).takeRetainedValue().run()
                        }
                        return nil
                    }, me.toOpaque())
                if status == 0 { pthread_detach(thread) }
            #endif
            if status != 0 { unsafe me.release() }
            return status == 0
        }

        /// The loop to which the C client refers, which exists as long as it calls.
        static func at(_ pointer: UnsafeMutableRawPointer?) -> EventLoop? {
            unsafe pointer.map { unsafe Unmanaged<EventLoop>.fromOpaque($0).takeUnretainedValue() }
        }

        func setReads(_ isOn: Bool) {
            state.withLock { $0.reads = isOn }
            wake()
        }

        func setWrites(_ isOn: Bool) {
            state.withLock { $0.writes = isOn }
            if isOn { wake() }
        }

        func stop() {
            state.withLock { $0.isOver = true }
            wake()
        }

        /// Returns when the thread does not touch the connection any more.
        func waitForEnd() async {
            await withCheckedContinuation { continuation in
                let isOver = ended.withLock { ended in
                    if !ended.isOver { ended.waiting.append(continuation) }
                    return ended.isOver
                }
                if isOver { continuation.resume() }
            }
        }

        private func wake() {
            if isWoken.exchange(true, ordering: .acquiringAndReleasing) { return }
            var byte: UInt8 = 1
            // One byte of a local variable. Were the pipe full, the loop would be awake anyway.
            _ = unsafe write(wakeUp.write, &byte, 1)
        }

        private func run() {
            while true {
                let now = state.withLock { $0 }
                if now.isOver { break }
                let events = Int16(now.reads ? POLLIN : 0) | Int16(now.writes ? POLLOUT : 0)
                var polled = [
                    pollfd(fd: wakeUp.read, events: Int16(POLLIN), revents: 0),
                    pollfd(fd: events == 0 ? -1 : now.socket, events: events, revents: 0),
                ]
                // The array has two elements.
                _ = unsafe poll(&polled, 2, -1)
                if polled[0].revents != 0 { drainPipe() }
                let found = polled[1].revents
                // The connection exists until the loop has ended.
                if found & Int16(POLLIN | POLLHUP | POLLERR | POLLNVAL) != 0 {
                    unsafe natsConnection_ProcessReadEvent(connection)
                }
                if found & Int16(POLLOUT) != 0 { unsafe natsConnection_ProcessWriteEvent(connection) }
            }
            let waiting = ended.withLock { ended in
                ended.isOver = true
                defer { ended.waiting = [] }
                return ended.waiting
            }
            for continuation in waiting { continuation.resume() }
        }

        private func drainPipe() {
            var bytes: (UInt64, UInt64) = (0, 0)
            // Not more bytes than the local variable has.
            _ = unsafe read(wakeUp.read, &bytes, 16)
            // After the read: a wake-up that comes now writes again.
            isWoken.store(false, ordering: .sequentiallyConsistent)
        }
    }
#endif
