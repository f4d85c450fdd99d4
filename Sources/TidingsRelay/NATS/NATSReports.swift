#if NATS
    import CNATS
    import Tidings

    /// The C client's reports about a connection: errors, and the end.
    final class NATSReports: Sendable {
        /// The number of dropped messages that were reported for each subscription, by its address. The subscription
        /// exists during the query.
        private let dropped = Lock<[UInt: Int64]>([:])
        /// Whether any messages were dropped. Until then, no query is needed.
        private let hasDropped = AtomicByte(false)
        private let ended = Flag()
        private let report: @Sendable (LinkEvent) -> Void

        init(_ report: @escaping @Sendable (LinkEvent) -> Void) { self.report = report }

        /// Makes the C client call this object until the connection has ended, or until ``end()`` is called because
        /// there was no connection.
        ///
        /// - Parameter options: The options of the connection.
        /// - Throws: A fault if the C client rejects the option.
        func set(on options: NATSConnectionOptions) throws(RelayFault) {
            // The C client owns this reference; `end` releases it.
            let me = unsafe Unmanaged.passRetained(self).toOpaque()
            try options.set("the handler of the end") { options in
                unsafe natsOptions_SetClosedCB(
                    options.pointer,
                    { _, me in unsafe NATSReports.at(me)?.end() }, me)
            }
            try options.set("the handler of errors") { options in
                unsafe natsOptions_SetErrorHandler(
                    options.pointer,
                    { connection, subscription, status, me in
                        unsafe NATSReports.at(me)?.tell(status, connection, subscription)
                    }, me)
            }
        }

        /// Returns the object to which the C client refers. The client retains it as long as it calls it.
        private static func at(_ pointer: UnsafeMutableRawPointer?) -> NATSReports? {
            unsafe pointer.map { unsafe Unmanaged<NATSReports>.fromOpaque($0).takeUnretainedValue() }
        }

        func waitForEnd() async { await ended.wait() }

        /// Records the end. Nothing is reported after it, because the C client reports in order, on one thread.
        func end() {
            // Releases the reference that `set` created.
            if ended.set() { unsafe Unmanaged.passUnretained(self).release() }
        }

        /// Reports the number of messages dropped since the last report, if there are any. The C client itself only
        /// reports the first.
        ///
        /// - Parameter subscription: The subscription, which is valid during the call.
        func tellDropped(of subscription: OpaquePointer) {
            guard hasDropped.load(ordering: .relaxed) else { return }
            let address = UInt(bitPattern: subscription)
            let new = dropped.withLock { dropped in
                var count: Int64 = 0
                // The number is written to a local variable.
                unsafe natsSubscription_GetDropped(subscription, &count)
                defer { dropped[address] = max(count, dropped[address] ?? 0) }
                return count - (dropped[address] ?? 0)
            }
            if new <= 0 { return }
            let subject = unsafe natsSubscription_GetSubject(subscription).map { unsafe String(cString: $0) } ?? "?"
            report(.slowConsumer(subject: subject, dropped: Int(clamping: new)))
        }

        /// Reports an error.
        ///
        /// - Parameters:
        ///   - status: The error.
        ///   - connection: The connection, which is valid during the call.
        ///   - subscription: The subscription, which is valid during the call, if the error is about one.
        private func tell(_ status: natsStatus, _ connection: OpaquePointer?, _ subscription: OpaquePointer?) {
            if status == NATS_SLOW_CONSUMER {
                hasDropped.store(true, ordering: .relaxed)
                if let subscription = unsafe subscription { unsafe tellDropped(of: subscription) }
                return
            }
            // The last error of the calling thread is this one. The last error of the connection may be a later one.
            var told = NATS_OK
            var text = unsafe nats_GetLastError(&told)
            if unsafe told != status || text?.pointee == 0 { unsafe natsConnection_GetLastError(connection, &text) }
            // The text belongs to the client, and is copied.
            let detail = unsafe text.map { unsafe String(cString: $0) } ?? String(status)
            let refusal = LinkEvent(refusal: detail)
            if case .permissionDenied = refusal { return report(refusal) }
            report(
                status == NATS_NOT_PERMITTED
                    ? .permissionDenied(subject: nil, detail: detail) : .problem("\(String(status)): \(detail)"))
        }
    }

    extension LinkEvent {
        /// Interprets the server's message for a rejection, for example
        /// `Permissions Violation for Publish to "subject"`.
        init(refusal: String) {
            guard refusal.lowercased().contains("permissions violation") else {
                self = .problem(refusal)
                return
            }
            let parts = refusal.split(separator: "\"", omittingEmptySubsequences: false)
            self = .permissionDenied(subject: parts.count > 2 ? String(parts[1]) : nil, detail: refusal)
        }
    }
#endif
