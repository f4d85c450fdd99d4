#if NATS
    import CNATS
    import Tidings

    /// What the C client tells about a connection on its own: errors, and the end.
    final class NATSReports: Sendable {
        /// How many dropped messages of each subscription were told, by its address. It exists while it is asked for them.
        private let dropped = Lock<[UInt: Int64]>([:])
        /// Whether any were dropped: until then nobody has to ask.
        private let hasDropped = AtomicByte(false)
        private let ended = Flag()
        private let report: @Sendable (LinkEvent) -> Void

        init(_ report: @escaping @Sendable (LinkEvent) -> Void) { self.report = report }

        /// Has the C client call this object, until the connection has ended, or ``end()`` is called as there never was one.
        ///
        /// - Parameter options: The options of the connection.
        /// - Throws: A fault if the C client refuses.
        func set(on options: NATSConnectionOptions) throws(RelayFault) {
            // The C client owns this reference; `end` releases it.
            let me = unsafe Unmanaged.passRetained(self).toOpaque()
            try options.set("what follows the end") { options in
                unsafe natsOptions_SetClosedCB(
                    options.pointer,
                    { _, me in unsafe NATSReports.at(me)?.end() }, me)
            }
            try options.set("what follows an error") { options in
                unsafe natsOptions_SetErrorHandler(
                    options.pointer,
                    { connection, subscription, status, me in
                        unsafe NATSReports.at(me)?.tell(status, connection, subscription)
                    }, me)
            }
        }

        /// The object to which the C client refers, which it has as long as it calls.
        private static func at(_ pointer: UnsafeMutableRawPointer?) -> NATSReports? {
            unsafe pointer.map { unsafe Unmanaged<NATSReports>.fromOpaque($0).takeUnretainedValue() }
        }

        func waitForEnd() async { await ended.wait() }

        /// Notes the end. Nothing is told after it: the C client tells in order, on one thread.
        func end() {
            // The reference that `set` made.
            if ended.set() { unsafe Unmanaged.passUnretained(self).release() }
        }

        /// Tells how many messages were dropped since this was told last, if any were. The C client itself tells only of the first.
        ///
        /// - Parameter subscription: The subscription, during the call.
        func tellDropped(of subscription: OpaquePointer) {
            guard hasDropped.load(ordering: .relaxed) else { return }
            let address = UInt(bitPattern: subscription)
            let new = dropped.withLock { dropped in
                var count: Int64 = 0
                // A number, written into a local variable.
                unsafe natsSubscription_GetDropped(subscription, &count)
                defer { dropped[address] = max(count, dropped[address] ?? 0) }
                return count - (dropped[address] ?? 0)
            }
            if new <= 0 { return }
            let subject = unsafe natsSubscription_GetSubject(subscription).map { unsafe String(cString: $0) } ?? "?"
            report(.slowConsumer(subject: subject, dropped: Int(clamping: new)))
        }

        /// Tells an error.
        ///
        /// - Parameters:
        ///   - status: The error.
        ///   - connection: The connection, during the call.
        ///   - subscription: The subscription, during the call, if it is about one.
        private func tell(_ status: natsStatus, _ connection: OpaquePointer?, _ subscription: OpaquePointer?) {
            if status == NATS_SLOW_CONSUMER {
                hasDropped.store(true, ordering: .relaxed)
                if let subscription = unsafe subscription { unsafe tellDropped(of: subscription) }
                return
            }
            // What the calling thread was told last is about this error; what the connection was, perhaps about a later one.
            var told = NATS_OK
            var text = unsafe nats_GetLastError(&told)
            if unsafe told != status || text?.pointee == 0 { unsafe natsConnection_GetLastError(connection, &text) }
            // The text is the client's, and copied.
            let detail = unsafe text.map { unsafe String(cString: $0) } ?? String(status)
            let refusal = LinkEvent(refusal: detail)
            if case .permissionDenied = refusal { return report(refusal) }
            report(
                status == NATS_NOT_PERMITTED
                    ? .permissionDenied(subject: nil, detail: detail) : .problem("\(String(status)): \(detail)"))
        }
    }

    extension LinkEvent {
        /// What a server means by its words of refusal. It writes, for instance, `Permissions Violation for Publish to "subject"`.
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
