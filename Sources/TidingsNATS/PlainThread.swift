#if NATS
    #if canImport(Darwin)
        import Darwin
    #else
        import Glibc
    #endif

    /// Starts threads that may wait in calls of the system, for which Swift's own are too few.
    enum PlainThread {
        /// What a thread does, handed over to it.
        private final class Work: Sendable {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }

        /// Starts a thread, which ends by itself.
        ///
        /// - Parameter body: What it does.
        /// - Returns: Whether there could be one.
        static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
            // The thread owns this reference, and releases it when it ends.
            let work = unsafe Unmanaged.passRetained(Work(body))
            // What `pthread_create` writes, and nobody reads.
            #if canImport(Darwin)
                var thread: pthread_t?
                let status = unsafe pthread_create(
                    &thread, nil,
                    { raw in
                        unsafe Unmanaged<Work>.fromOpaque(raw).takeRetainedValue().body()
                        return nil
                    }, work.toOpaque())
                if let thread = unsafe thread, status == 0 { unsafe pthread_detach(thread) }
            #else
                var thread = pthread_t()
                let status = unsafe pthread_create(
                    &thread, nil,
                    { raw in
                        // The argument is the reference from above.
                        if let raw = unsafe raw { unsafe Unmanaged<Work>.fromOpaque(raw).takeRetainedValue().body() }
                        return nil
                    }, work.toOpaque())
                if status == 0 { pthread_detach(thread) }
            #endif
            if status != 0 { unsafe work.release() }
            return status == 0
        }
    }
#endif
