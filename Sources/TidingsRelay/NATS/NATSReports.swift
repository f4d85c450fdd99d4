#if NATS
    import CNATS

    final class NATSReports: Sendable {
        /// The number of dropped messages that were already reported. The key is the address of the subscription. A
        /// relay keeps its subscriptions until the connection ends, so no other subscription of the connection has the
        /// same address.
        private let dropped = Lock<[UInt: Int64]>([:])
        private let hasDropped = AtomicByte(false)
        private let ended = Flag()
        private let report: @Sendable (LinkEvent) -> Void

        init(_ report: @escaping @Sendable (LinkEvent) -> Void) { self.report = report }

        func set(on options: NATSConnectionOptions) throws(RelayFault) {
            // The C client owns this reference, which `end` releases.
            let me = unsafe Unmanaged.passRetained(self).toOpaque()
            try options.set("the handler of the end") { options in
                unsafe natsOptions_SetClosedCB(options.pointer, { _, me in unsafe NATSReports.at(me)?.end() }, me)
            }
            try options.set("the handler of errors") { options in
                unsafe natsOptions_SetErrorHandler(
                    options.pointer,
                    { connection, subscription, status, me in
                        unsafe NATSReports.at(me)?.tell(status, connection, subscription)
                    }, me)
            }
        }

        /// The C client owns the object during the callback.
        private static func at(_ pointer: UnsafeMutableRawPointer?) -> NATSReports? {
            unsafe pointer.map { unsafe Unmanaged<NATSReports>.fromOpaque($0).takeUnretainedValue() }
        }

        func waitForEnd() async { await ended.wait() }

        func end() {
            // Releases the reference that `set(on:)` retained.
            if ended.set() { unsafe Unmanaged.passUnretained(self).release() }
        }

        /// Reports the messages that were dropped since the last report, because the C client reports only the first
        /// loss. The subscription is valid during the call.
        func tellDropped(of subscription: OpaquePointer) {
            guard hasDropped.load(ordering: .relaxed) else { return }
            let address = UInt(bitPattern: subscription)
            let new = dropped.withLock { dropped in
                var count: Int64 = 0
                // The C client writes the number to a local variable.
                unsafe natsSubscription_GetDropped(subscription, &count)
                defer { dropped[address] = max(count, dropped[address] ?? 0) }
                return count - (dropped[address] ?? 0)
            }
            if new <= 0 { return }
            let subject = unsafe natsSubscription_GetSubject(subscription).map { unsafe String(cString: $0) } ?? "?"
            report(.slowConsumer(subject: subject, dropped: Int(clamping: new)))
        }

        /// The connection and the subscription are valid during the call.
        private func tell(_ status: natsStatus, _ connection: OpaquePointer?, _ subscription: OpaquePointer?) {
            if status == NATS_SLOW_CONSUMER {
                hasDropped.store(true, ordering: .relaxed)
                if let subscription = unsafe subscription { unsafe tellDropped(of: subscription) }
                return
            }
            // The thread's last error is the error to report. The connection's last error may be newer.
            var told = NATS_OK
            var text = unsafe nats_GetLastError(&told)
            if unsafe told != status || text?.pointee == 0 { unsafe natsConnection_GetLastError(connection, &text) }
            // The client owns the text, which is copied here.
            let detail = unsafe text.map { unsafe String(cString: $0) } ?? String(status)
            let refusal = LinkEvent(refusal: detail)
            if case .permissionDenied = refusal { return report(refusal) }
            report(
                status == NATS_NOT_PERMITTED
                    ? .permissionDenied(subject: nil, detail: detail) : .problem("\(String(status)): \(detail)"))
        }
    }

    extension LinkEvent {
        /// Interprets the server's message for a rejection, such as `Permissions Violation for Publish to "subject"`.
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
