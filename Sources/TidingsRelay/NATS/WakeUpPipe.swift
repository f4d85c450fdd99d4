#if NATS

    #if canImport(Darwin)
        import Darwin
    #else
        import Glibc
    #endif

    /// A pipe that ends the wait of a thread for its socket.
    ///
    /// A thread that is at work looks at everything before it waits again, so nobody has to wake it: only who finds it asleep
    /// writes into the pipe.
    final class WakeUpPipe: Sendable {
        private let ends: (read: Int32, write: Int32)
        private let isAwake = AtomicByte(true)

        /// Makes a pipe; `nil` if the process has no file left.
        init?() {
            var ends: [Int32] = [-1, -1]
            // Both numbers are written into the array, during the call.
            guard unsafe pipe(&ends) == 0 else { return nil }
            for end in ends {
                _ = fcntl(end, F_SETFL, O_NONBLOCK)
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            }
            self.ends = (ends[0], ends[1])
        }

        deinit {
            close(ends.read)
            close(ends.write)
        }

        /// Has the thread look at everything once more, unless it will anyway.
        func wake() {
            if !isAwake.exchange(true, ordering: .sequentiallyConsistent) { interrupt() }
        }

        /// Ends the thread's wait, also one of which nobody was told.
        func interrupt() {
            var byte: UInt8 = 1
            // One byte of a local variable. Were the pipe full, the wait would end anyway.
            _ = unsafe write(ends.write, &byte, 1)
        }

        /// Says that the thread sleeps from now on. What came before the next look, of the caller, has not woken it.
        func fallAsleep() { isAwake.store(false, ordering: .sequentiallyConsistent) }

        /// Takes that back: the thread has found something to do.
        func stayAwake() { isAwake.store(true, ordering: .sequentiallyConsistent) }

        /// Waits until a socket is ready, or somebody wakes the thread.
        ///
        /// - Parameters:
        ///   - socket: The socket.
        ///   - events: What it should be ready for, as `poll` has it; 0 for nothing.
        ///   - milliseconds: For how long, at most; less than 0 for ever.
        /// - Returns: What it is ready for.
        func wait(for socket: Int32, _ events: Int16, atMost milliseconds: Int32) -> Int32 {
            var polled = [
                pollfd(fd: ends.read, events: Int16(POLLIN), revents: 0),
                pollfd(fd: events == 0 ? -1 : socket, events: events, revents: 0),
            ]
            // The array has two elements.
            _ = unsafe poll(&polled, 2, milliseconds)
            stayAwake()
            if polled[0].revents != 0 { drain() }
            return Int32(polled[1].revents)
        }

        private func drain() {
            var bytes: (UInt64, UInt64) = (0, 0)
            // Not more bytes than the local variable has.
            _ = unsafe read(ends.read, &bytes, 16)
        }
    }

    /// Runs something on a thread of its own.
    ///
    /// - Parameter body: What the thread does. It is released when the thread ends.
    /// - Returns: Whether there could be a thread.
    func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
        final class Body: Sendable {
            let run: @Sendable () -> Void
            init(_ run: @escaping @Sendable () -> Void) { self.run = run }
        }
        // The thread owns this reference, and releases it when it ends.
        let argument = unsafe Unmanaged.passRetained(Body(body))
        // What `pthread_create` writes, and nobody reads.
        #if canImport(Darwin)
            var thread: pthread_t?
            let status = unsafe pthread_create(
                &thread, nil,
                { argument in
                    unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                    return nil
                }, argument.toOpaque())
            if let thread = unsafe thread, status == 0 { unsafe pthread_detach(thread) }
        #else
            var thread = pthread_t()
            let status = unsafe pthread_create(
                &thread, nil,
                { argument in
                    // The argument is the reference from above.
                    if let argument = unsafe argument {
                        unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                    }
                    return nil
                }, argument.toOpaque())
            if status == 0 { pthread_detach(thread) }
        #endif
        if status != 0 { unsafe argument.release() }
        return status == 0
    }
#endif
