import Tidings

extension NotificationRelay {
    /// Stores a notification in its stream, and posts it here; returns when the stream has it.
    ///
    /// Here it is posted to all observers but the relay's own, unless a route of the type has a group: then one member gets it, which
    /// may be this program. It waits for room while too many notifications wait to be stored.
    ///
    /// Cancelling the task that waits does not take the notification back.
    ///
    /// - Parameter notification: The notification. Some route of a stream stores its type, of this program or of another.
    /// - Returns: Its number in the stream.
    /// - Throws: A fault if it cannot be sent, or the stream refuses it.
    @discardableResult
    public func publish<N: RemoteNotification>(_ notification: N) async throws(RelayFault) -> UInt64 {
        let message = try prepare(notification)
        while !isOver.isOn {
            await withCheckedContinuation { continuation in outbox.update { $0.waitForRoom(continuation) } }
            let result: Result<UInt64, RelayFault>? = await withCheckedContinuation { continuation in
                let isIn = outbox.update { outbox in
                    outbox.append(at: clock.now, message) { continuation.resume(returning: $0) }
                }
                // The room was somebody else's.
                if !isIn { return continuation.resume(returning: nil) }
                if !routes.contains(where: { $0.route.type == ObjectIdentifier(N.self) && $0.route.group != nil }) {
                    _ = postToOthers(notification)
                }
            }
            if let result { return try result.get() }
        }
        throw RelayFault(.stopped, "the relay has ended")
    }

    /// Puts a notification that was posted into the outbox. The delivery that it is part of waits until it is stored.
    func sendDurable<N: RemoteNotification>(_ notification: N) {
        if Arrival.isEcho(notification, of: self) { return }
        let hold = DeliveryHold(for: .init(of: N.self, .inPost, from: place))
        let settle: Outbox.Settle = { [weak self] result in
            guard case .failure(let fault) = result else {
                hold?.end()
                return
            }
            self?.report(fault)
            hold?.end(error: fault)
        }
        do throws(RelayFault) {
            let message = try prepare(notification)
            let isIn = outbox.update { $0.append(at: clock.now, message, settle: settle) }
            if !isIn {
                let refused = message(0)
                throw RelayFault(
                    .outboxFull, subject: refused.subject, id: refused.header("Nats-Msg-Id"),
                    "\(options.outboxLimit) notifications wait to be stored")
            }
        } catch { settle(.failure(error)) }
    }

    /// Sends a notification that was posted.
    func sendTransient<N: RemoteNotification>(_ notification: N) {
        if Arrival.isEcho(notification, of: self) { return }
        do throws(RelayFault) {
            let message = try makeMessage(notification).message
            if let left = transients.update({ $0.append(message) }) {
                throw RelayFault(
                    .outboxFull, subject: left.subject,
                    "no connection, and \(options.transientLimit) notifications wait")
            }
        } catch { report(error) }
    }

    /// Makes a message for the outbox, which numbers it.
    private func prepare<N: RemoteNotification>(_ notification: N) throws(RelayFault)
        -> @Sendable (UInt64) -> RelayMessage
    {
        var (id, message) = try makeMessage(notification)
        message.headers.append(.init("Nats-Msg-Id", id))
        return { [message, inbox] number in
            var message = message
            message.reply = "\(inbox).\(number)"
            return message
        }
    }

    private func makeMessage<N: RemoteNotification>(
        _ notification: N
    ) throws(RelayFault) -> (id: String, message: RelayMessage) {
        let id = identities.next()
        let subject = try subjects.subject(N.eventType, sender: notification.remoteSender, hasSenders: N.hasSenders)
        let event: CloudEvent
        do {
            event = CloudEvent(
                id: id, source: options.name, type: N.eventType.description, time: timestamps.text(),
                trace: TraceContext.outgoing, contentType: N.wireContentType, data: try notification.encoded())
        } catch {
            throw RelayFault(.unencodable, subject: subject, id: id, "\(error)")
        }
        let message = event.message(subject, mode: options.eventMode)
        let limit = state.withLock { $0.maximumPayload }
        // Before it is queued: what the server refuses for its size ends the connection.
        if message.size > limit {
            throw RelayFault(.payloadTooLarge, subject: subject, id: id, "\(message.size) bytes, of \(limit) allowed")
        }
        return (id, message)
    }
}
