#if NATS

    #if canImport(Darwin)
        import Darwin
    #else
        import Glibc
    #endif

    /// A pipe that ends a thread's wait for its socket.
    ///
    /// The thread checks for work before it waits, so only code that finds it asleep has to write to the pipe.
    final class WakeUpPipe: Sendable {
        private let ends: (read: Int32, write: Int32)
        private let isAwake = AtomicByte(true)

        /// Creates a pipe. Fails if the process has no file descriptors left.
        init?() {
            var ends: [Int32] = [-1, -1]
            // Both descriptors are written to the array during the call.
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

        /// Makes the thread check for work once more, unless it will do so anyway.
        func wake() {
            if !isAwake.exchange(true, ordering: .sequentiallyConsistent) { interrupt() }
        }

        /// Ends the thread's wait, even if ``fallAsleep()`` wasn't called.
        func interrupt() {
            var byte: UInt8 = 1
            // One byte of a local variable. If the pipe is full, the wait ends anyway.
            _ = unsafe write(ends.write, &byte, 1)
        }

        /// Records that the thread is about to sleep. It has to check for work after this call, because earlier work
        /// hasn't woken it.
        func fallAsleep() { isAwake.store(false, ordering: .sequentiallyConsistent) }

        /// Cancels ``fallAsleep()``, because the thread has found work.
        func stayAwake() { isAwake.store(true, ordering: .sequentiallyConsistent) }

        /// Waits until a socket is ready, or until the thread is woken. Returns the events that occurred.
        ///
        /// - Parameters:
        ///   - socket: The socket.
        ///   - events: The events to wait for, as for `poll`, or 0 for none.
        ///   - milliseconds: The maximum time, or a negative number for no limit.
        /// - Returns: The events.
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
            // The size is that of the local variable.
            _ = unsafe read(ends.read, &bytes, 16)
        }
    }

    /// Runs a closure on a new thread, which releases it at its end. Returns whether the thread was created.
    func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
        final class Body: Sendable {
            let run: @Sendable () -> Void
            init(_ run: @escaping @Sendable () -> Void) { self.run = run }
        }
        // The thread owns this reference, and releases it when it ends.
        let argument = unsafe Unmanaged.passRetained(Body(body))
        // `pthread_create` writes the variable, which is read only if the call succeeded.
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
                    // The argument is the reference created above.
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
