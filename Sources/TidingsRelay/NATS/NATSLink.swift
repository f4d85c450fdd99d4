#if NATS
    import CNATS
    import Dispatch

    @safe
    // The C client's functions are thread-safe, and the pointer never changes.
    final class NATSLink: Link, @unchecked Sendable {
        private let connection: OpaquePointer
        private let loop: EventLoop
        private let reports: NATSReports
        private let pendingLimits: (count: Int, bytes: Int)

        init(
            _ options: NATSConnectionOptions, pendingLimits: (count: Int, bytes: Int), at addresses: [String],
            _ report: @escaping @Sendable (LinkEvent) -> Void
        ) throws(RelayFault) {
            let unsent: @Sendable (RelayMessage, natsStatus) -> Void = { message, status in
                report(.unsent(message, status == NATS_MAX_PAYLOAD ? .tooLarge : .impossible(String(status))))
            }
            guard let loop = EventLoop(refused: unsent, dropped: { report(.unsentTransients($0)) }) else {
                throw RelayFault(.cannotConnect, "the process has no free file descriptor")
            }
            let reports = NATSReports(report)
            try reports.set(on: options)
            // The link, and after its `deinit` a task, keep the loop alive until it has ended.
            let target = unsafe Unmanaged.passUnretained(loop).toOpaque()
            try options.set("the event loop") { options in
                unsafe natsOptions_SetEventLoop(
                    options.pointer, target,
                    { data, loop, connection, socket in
                        unsafe data?.pointee = loop
                        guard let connection = unsafe connection else { return NATS_ERR }
                        let isRunning = unsafe EventLoop.at(loop)?.start(connection, socket: Int32(socket))
                        return isRunning == true ? NATS_OK : NATS_ERR
                    },
                    { data, isOn in
                        unsafe EventLoop.at(data)?.setReads(isOn)
                        return NATS_OK
                    },
                    { data, isOn in
                        unsafe EventLoop.at(data)?.setWrites(isOn)
                        return NATS_OK
                    },
                    { data in
                        unsafe EventLoop.at(data)?.stop()
                        return NATS_OK
                    })
            }
            var connected: OpaquePointer?
            let status = unsafe natsConnection_Connect(&connected, options.pointer)
            guard status == NATS_OK, let connection = unsafe connected else {
                // The C client doesn't report the end of a failed attempt, so `reports` must be released here.
                reports.end()
                if let half = unsafe connected { unsafe natsConnection_Destroy(half) }
                let isRefused = status == NATS_CONNECTION_AUTH_FAILED || status == NATS_NOT_PERMITTED
                throw RelayFault(
                    isRefused ? .permissionDenied : .cannotConnect,
                    "\(NATSServer.told(addresses)): \(String.lastError(status))")
            }
            unsafe self.connection = connection
            self.loop = loop
            self.reports = reports
            self.pendingLimits = pendingLimits
        }

        /// Closing blocks, so another thread does it. The connection is freed when the loop no longer uses it.
        deinit {
            let connection = unsafe ConnectionToFree(pointer: connection)
            let loop = loop
            DispatchQueue.global().async {
                unsafe natsConnection_Close(connection.pointer)
                Task.detached {
                    await loop.waitForEnd()
                    DispatchQueue.global().async { unsafe natsConnection_Destroy(connection.pointer) }
                }
            }
        }

        @safe
        // Only one thread at a time uses this value, and the last one frees the connection.
        private struct ConnectionToFree: @unchecked Sendable {
            let pointer: OpaquePointer
        }

        // Here and in all methods below, the connection exists as long as the link.

        var maximumPayload: Int { Int(clamping: unsafe natsConnection_GetMaxPayload(connection)) }

        var backlog: Int { loop.backlog }

        func publish(_ message: RelayMessage) -> PublishingOutcome {
            // The C client doesn't escape the subject in a protocol line, which a space or line break would corrupt.
            guard Self.isSubject(message.subject), message.reply.map(Self.isSubject) != false else {
                return .impossible("\(message.subject.debugDescription) is not a valid subject")
            }
            return loop.send(message) ? .accepted : .ended
        }

        private static func isSubject(_ text: String) -> Bool {
            !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
        }

        func flush() async -> Bool {
            await loop.handOverEverything()
            return await withCheckedContinuation { continuation in
                // The call blocks until the server has responded, or for ten seconds.
                DispatchQueue.global().async { [self] in
                    continuation.resume(returning: unsafe natsConnection_FlushTimeout(connection, 10_000) == NATS_OK)
                }
            }
        }

        func close() {
            // The call waits for a lock that the event loop may hold.
            DispatchQueue.global().async { [self] in unsafe natsConnection_Close(connection) }
        }

        func waitForEnd() async { await reports.waitForEnd() }

        func subscribe(
            _ subject: String, group: String?, receive: @escaping @Sendable (RelayMessage) -> Void
        ) throws(RelayFault) -> any AnyObject & Sendable {
            guard Self.isSubject(subject), group.map(Self.isSubject) != false else {
                throw RelayFault(.invalidName, subject: subject, "this subject cannot be subscribed to")
            }
            // The subscription owns this reference, and the completion callback below releases it.
            let receiver = unsafe Unmanaged.passRetained(Receiver(reports, receive)).toOpaque()
            let handler: natsMsgHandler = { _, subscription, message, receiver in
                guard let message = unsafe message, let receiver = unsafe receiver,
                    let subscription = unsafe subscription
                else { return }
                unsafe Unmanaged<Receiver>.fromOpaque(receiver).takeUnretainedValue().take(message, of: subscription)
            }
            var made: OpaquePointer?
            let status =
                if let group {
                    unsafe natsConnection_QueueSubscribe(&made, connection, subject, group, handler, receiver)
                } else {
                    unsafe natsConnection_Subscribe(&made, connection, subject, handler, receiver)
                }
            guard status == NATS_OK, let subscription = unsafe made else {
                unsafe Unmanaged<Receiver>.fromOpaque(receiver).release()
                throw RelayFault(.connectionLost, subject: subject, "cannot subscribe: \(String(status))")
            }
            _ = unsafe natsSubscription_SetPendingLimits(
                subscription, Int32(clamping: pendingLimits.count), Int32(clamping: pendingLimits.bytes))
            // Called once, after the last message.
            _ = unsafe natsSubscription_SetOnCompleteCB(
                subscription, { unsafe $0.map { unsafe Unmanaged<Receiver>.fromOpaque($0).release() } }, receiver)
            return unsafe NATSSubscription(pointer: subscription)
        }

        @safe
        // The variables are used only on the C client's thread for the subscription.
        private final class Receiver: @unchecked Sendable {
            private let receive: @Sendable (RelayMessage) -> Void
            private var used = UsedMessages()
            private var count = 0
            private var bytes = 0
            private let reports: NATSReports

            init(_ reports: NATSReports, _ receive: @escaping @Sendable (RelayMessage) -> Void) {
                self.reports = reports
                self.receive = receive
            }

            /// Takes ownership of a message. The subscription is valid during the call.
            func take(_ message: OpaquePointer, of subscription: OpaquePointer) {
                let copy = unsafe RelayMessage(copying: message)
                unsafe used.append(message)
                count += 1
                bytes += copy.bytes.count
                if count >= 64 || bytes >= 1 << 18 {
                    used.free()
                    (count, bytes) = (0, 0)
                }
                receive(copy)
                // The C client may have dropped other messages while this one was handled.
                unsafe reports.tellDropped(of: subscription)
            }
        }
    }

    @safe
    private final class NATSSubscription: @unchecked Sendable {  // the pointer never changes
        private let pointer: OpaquePointer

        init(pointer: OpaquePointer) { unsafe self.pointer = pointer }

        deinit { unsafe natsSubscription_Destroy(pointer) }
    }
#endif
