#if NATS
    #if canImport(Darwin)
        import Darwin
    #else
        import Glibc
    #endif

    /// Wakes the event loop's thread. The pipe is written to only if the thread has called ``fallAsleep()``.
    final class WakeUpPipe: Sendable {
        private let ends: (read: Int32, write: Int32)
        private let isAwake = AtomicByte(true)

        init?() {
            var ends: [Int32] = [-1, -1]
            // The call writes two descriptors, and the array has two elements.
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

        func wake() {
            if isAwake.exchange(true, ordering: .sequentiallyConsistent) { return }
            var byte: UInt8 = 1
            // The call reads one byte of a local variable. If the pipe is full, the thread wakes anyway.
            _ = unsafe write(ends.write, &byte, 1)
        }

        /// Records that ``wake()`` must wake the thread from now on. The thread must then check for work again, because
        /// work that was added before this call didn't wake it.
        func fallAsleep() { isAwake.store(false, ordering: .sequentiallyConsistent) }

        func stayAwake() { isAwake.store(true, ordering: .sequentiallyConsistent) }

        /// Waits for events of a socket, or until the thread is woken. A negative number of milliseconds sets no limit.
        /// Returns the events as `poll` does.
        func wait(for socket: Int32, _ events: Int16, atMost milliseconds: Int32) -> Int32 {
            var polled = [
                pollfd(fd: ends.read, events: Int16(POLLIN), revents: 0),
                pollfd(fd: events == 0 ? -1 : socket, events: events, revents: 0),
            ]
            // The array has two elements.
            _ = unsafe poll(&polled, 2, milliseconds)
            stayAwake()
            if polled[0].revents != 0 {
                var bytes: (UInt64, UInt64) = (0, 0)
                // At most 16 bytes are read, which is the size of the local variable.
                _ = unsafe read(ends.read, &bytes, 16)
            }
            return Int32(polled[1].revents)
        }
    }

    func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
        final class Body: Sendable {
            let run: @Sendable () -> Void
            init(_ run: @escaping @Sendable () -> Void) { self.run = run }
        }
        // The new thread owns this reference, and releases it after running the body.
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
