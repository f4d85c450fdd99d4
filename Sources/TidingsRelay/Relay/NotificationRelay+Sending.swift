import Tidings

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension NotificationRelay {
    /// Stores a notification in its stream, and posts it here; returns when the stream has it.
    ///
    /// Here it is posted to all observers but the relay's own, unless a route of the type has a group: then one member gets it, which
    /// may be this program. It waits for room while too many notifications wait to be stored.
    ///
    /// Cancelling the task that waits does not take the notification back.
    ///
    /// - Parameters:
    ///   - notification: The notification. Some route of a stream stores its type, of this program or of another.
    ///   - id: Its identity: letters, digits, `-`, `_` and `.`; at most 255 bytes. The server drops a second one of the same identity, within
    ///     the ``RelayOptions/duplicateWindow``. `nil` for one that nobody else has.
    ///   - headers: What is to go along: texts by name. A name has letters, digits, `-` and `_`, and does not begin as those of others do,
    ///     with `ce-`, `nats-` or `tidings-`; nor is it `content-type`, `traceparent` or `tracestate`. Readers find them in
    ///     ``NotificationOrigin/headers``.
    /// - Returns: Its number in the stream; that of the first one, if it is a second.
    /// - Throws: A fault if it cannot be sent, or the stream refuses it.
    @discardableResult
    public func publish<N: RemoteNotification>(
        _ notification: N, id: String? = nil, headers: [String: String] = [:]
    ) async throws(RelayFault) -> UInt64 {
        let identity = try id.map { id throws(RelayFault) in try Self.identity(id) }
        return try await store(try prepare(notification, identity, headers), as: N.self) {
            if !sharedTypes.contains(ObjectIdentifier(N.self)) { _ = postToOthers(notification) }
        }
    }

    /// Stores a notification in its stream under an identity of yours, and posts it nowhere else; returns when the stream has it.
    ///
    /// The server drops a second one of the same identity, within the ``RelayOptions/duplicateWindow``. So what an outbox has is sent once,
    /// also by a program that was killed before it had noted that the stream has it. A relay with a `NotificationOutbox` does that by itself;
    /// this is for a table of your own.
    ///
    /// A type that goes this way needs no route; with one that goes out, it would also be sent when it is posted.
    ///
    /// - Parameters:
    ///   - notification: The notification. Some route of a stream stores its type, of this program or of another.
    ///   - id: Its identity: letters, digits, `-`, `_` and `.`; at most 255 bytes.
    ///   - headers: What is to go along, see ``publish(_:id:headers:)``.
    /// - Returns: Its number in the stream; that of the first one, if it is the second.
    /// - Throws: A fault if it cannot be sent, or the stream refuses it.
    @discardableResult
    public func send<N: RemoteNotification>(
        _ notification: N, id: String, headers: [String: String] = [:]
    ) async throws(RelayFault) -> UInt64 {
        try await store(try prepare(notification, try Self.identity(id), headers), as: N.self) {}
    }

    private static func identity(_ text: String) throws(RelayFault) -> Identity {
        guard let identity = Identity(text) else {
            throw RelayFault(.invalidName, id: text, "it cannot be an identity")
        }
        return identity
    }

    /// Stores a message; once it is in the outbox, a closure is called.
    private func store<N: RemoteNotification>(
        _ message: RelayMessage, as type: N.Type, then post: () -> Void
    ) async throws(RelayFault) -> UInt64 {
        let place = stored[ObjectIdentifier(type)] ?? .unknown
        let size = message.subject.utf8.count + message.size
        while !isOver.isOn {
            await withCheckedContinuation { continuation in outbox.update { $0.waitForRoom(size, continuation) } }
            let result: Result<UInt64, RelayFault>? = await withCheckedContinuation { continuation in
                let isIn = append(message, to: place) { continuation.resume(returning: $0) }
                // The room was somebody else's.
                if !isIn { return continuation.resume(returning: nil) }
                post()
            }
            if let result { return try result.mapError(reports.named).get() }
        }
        throw RelayFault(.stopped, "the relay has ended")
    }

    /// Puts a notification that was posted into the outbox. The delivery that it is part of waits until it is stored.
    func sendDurable<N: RemoteNotification>(_ notification: N) {
        if native == nil || hasTable, Arrival.isEcho(notification, of: self) { return }
        let hold = DeliveryHold(for: .init(of: N.self, .inPost, from: place))
        let settle: Outbox.Settle = { [weak self] result in
            guard case .failure(let fault) = result else {
                hold?.end()
                return
            }
            self?.report(fault)
            hold?.end(error: self?.reports.named(fault) ?? fault)
        }
        do throws(RelayFault) {
            let message = try prepare(notification)
            if !append(message, to: stored[ObjectIdentifier(N.self)] ?? .unknown, settle) {
                throw RelayFault(
                    .outboxFull, subject: message.subject, id: message.header("Nats-Msg-Id"),
                    "\(waitingCount) notifications wait to be stored")
            }
        } catch { settle(.failure(error)) }
    }

    /// Sends a notification that was posted.
    func sendTransient<N: RemoteNotification>(_ notification: N) {
        if native == nil, Arrival.isEcho(notification, of: self) { return }
        do throws(RelayFault) {
            let message = try makeMessage(notification).message
            switch transients.withLock({ $0.append(message) }) {
            case .link(let link): try send(message, over: link)
            case .queue: break
            case .nowhere(let left):
                for message in left {
                    report(
                        RelayFault(
                            .outboxFull, subject: message.subject,
                            "no connection, and as many notifications wait as may"))
                }
            }
        } catch { report(error) }
    }

    /// Sends what has waited for a link, and has what comes from now on sent over it.
    func sendWaitingTransients(over link: any Link) {
        transients.withLock { $0.connect(link) }
        while let message = transients.withLock({ $0.next(for: link) }) {
            do throws(RelayFault) { try send(message, over: link) } catch { report(error) }
        }
    }

    private func send(_ message: RelayMessage, over link: any Link) throws(RelayFault) {
        if link.backlog > options.backlogLimit {
            throw RelayFault(.outboxFull, subject: message.subject, "the server takes nothing")
        }
        if let fault = link.publish(message).fault(of: message, allowed: link.maximumPayload) { throw fault }
    }

    /// Puts a message into the outbox, which numbers it.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - place: Where it is stored.
    ///   - settle: Called when it is stored, or refused.
    /// - Returns: Whether there was room.
    func append(_ message: RelayMessage, to place: StoredRoute, _ settle: @escaping Outbox.Settle) -> Bool {
        outbox.update { outbox in
            outbox.append(
                to: place.stream, waitsWhenFull: place.waitsWhenFull, isDroppable: place.isDroppable, at: clock.now,
                { number in
                    var message = message
                    message.reply = inbox + String(number)
                    return message
                }, settle: settle)
        }
    }

    /// Makes a message for the outbox.
    private func prepare<N: RemoteNotification>(
        _ notification: N, _ id: Identity? = nil, _ headers: [String: String] = [:]
    ) throws(RelayFault) -> RelayMessage {
        let own = try headers.isEmpty ? [] : OwnHeaders.checked(headers)
        var (id, message) = try makeMessage(notification, id)
        message.headers.append(.init("Nats-Msg-Id", id.text))
        message.headers += own
        return message
    }

    private func makeMessage<N: RemoteNotification>(
        _ notification: N, _ id: Identity? = nil
    ) throws(RelayFault) -> (id: Identity, message: RelayMessage) {
        let id = id ?? identities.next()
        let form = try form(of: N.self)
        let subject = try subject(of: notification, form)
        let data: Data
        do { data = try notification.encoded() } catch {
            throw RelayFault(.unencodable, subject: subject, id: id.text, "\(error)")
        }
        return (id, try message(form, subject, id, data, timestamps.timestamp()))
    }

    func subject<N: RemoteNotification>(of notification: N, _ form: EventForm) throws(RelayFault) -> String {
        if let subject = form.subject { return subject }
        guard let partition = form.partition?(notification) else {
            return try subjects.subject(form.type, sender: notification.remoteSender, hasSenders: N.hasSenders)
        }
        return try subjects.subject(
            form.type, partition: partition, sender: notification.remoteSender, hasSenders: N.hasSenders)
    }

    /// Makes a message of an encoded notification.
    func message(
        _ form: EventForm, _ subject: String, _ id: Identity, _ data: Data, _ time: Timestamp
    ) throws(RelayFault) -> RelayMessage {
        let message = event(form, subject, id, data, time)
        let limit = state.withLock { $0.maximumPayload }
        // Before it is queued: what the server refuses for its size ends the connection.
        if message.size > limit {
            let detail = "\(message.size) bytes, of \(limit) allowed"
            throw RelayFault(.payloadTooLarge, subject: subject, id: id.text, detail)
        }
        return message
    }

    private func event(
        _ form: EventForm, _ subject: String, _ id: Identity, _ data: Data, _ time: Timestamp
    ) -> RelayMessage {
        let trace = RelayTraceContext.outgoing
        if options.eventMode == .structured, let template = form.template {
            let bytes = template.event(
                id: id, source: options.name, instance: instance, time: time, trace: trace, data: data)
            return RelayMessage(subject, headers: form.structuredHeaders, bytes: bytes)
        }
        let event = CloudEvent(
            id: id.text, source: options.name, type: form.typeName, time: time.text, trace: trace,
            contentType: form.contentType, data: data, instance: instance)
        var message = event.message(subject, mode: options.eventMode)
        message.headers += form.partitionHeaders
        return message
    }

    /// What is the same for all notifications of a type, also of one that no route carries, which is published alone.
    func form<N: RemoteNotification>(of type: N.Type) throws(RelayFault) -> EventForm {
        if let form = forms[ObjectIdentifier(type)] { return form }
        return try EventForm(N.eventType, N.wireContentType, hasSenders: N.hasSenders, subjects)
    }
}
