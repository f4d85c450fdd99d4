#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

final class EventMaker: Sendable {
    private let context: RelayContext
    private let forms: [ObjectIdentifier: EventForm]
    private let identities = Identities()
    private let timestamps = Timestamps()

    init(_ context: RelayContext, _ routes: [ActiveRoute]) {
        self.context = context
        forms = Dictionary(routes.map { ($0.route.typeID, $0.form) }) { first, other in
            // If one route of a type has partitions, messages are sent with partitions.
            first.partition == nil ? other : first
        }
    }

    func make<N: RemoteNotification>(
        _ notification: N, _ id: Identity? = nil, atMost limit: Int
    ) throws(RelayFault) -> (id: Identity, message: RelayMessage) {
        let id = id ?? identities.next()
        let form = try form(of: N.self)
        let subject = try subject(of: notification, form)
        let data = try encode(notification, subject, id)
        return (id, try event(form, subject, id, data, timestamps.timestamp(), atMost: limit))
    }

    func durable<N: RemoteNotification>(
        _ notification: N, _ id: Identity? = nil, _ headers: [String: String] = [:], atMost limit: Int
    ) throws(RelayFault) -> RelayMessage {
        let own = try headers.isEmpty ? [] : OwnHeaders.checked(headers)
        let isChosen = id != nil
        var (id, message) = try make(notification, id, atMost: limit)
        message.headers.append(identityHeader(id, isChosen: isChosen))
        message.headers += own
        return message
    }

    func message<N: RemoteNotification>(
        of row: TableRow, as type: N.Type, atMost limit: Int
    ) throws(RelayFault) -> RelayMessage {
        guard let id = Identity(row.id) else { throw RelayFault(.invalidName, id: row.id, "the identity is invalid") }
        let form = try form(of: N.self)
        let time = timestamps.timestamp(of: Date(timeIntervalSince1970: Double(row.storedAt) / 1000))
        // The row is decoded even if the subject is known, so that no program gets a payload that can't be decoded.
        let notification = try decode(type, row)
        let subject = try subject(of: notification, form)
        var data = row.body
        if row.version != N.wireVersion { data = try encode(notification, subject, id) }
        var message = try event(form, subject, id, data, time, atMost: limit)
        message.headers.append(identityHeader(id, isChosen: false))
        return message
    }

    private func identityHeader(_ id: Identity, isChosen: Bool) -> RelayMessage.Header {
        .init("Nats-Msg-Id", context.streamIdentities.identity(id.text, isChosen: isChosen))
    }

    private func decode<N: RemoteNotification>(_ type: N.Type, _ row: TableRow) throws(RelayFault) -> N {
        guard N.readableVersions.contains(row.version) else {
            throw RelayFault(.unknownVersion, id: row.id, "version \(row.version) of \(N.wireName) is not supported")
        }
        do {
            return try row.version == N.wireVersion ? N.decoded(row.body) : N.decoded(row.body, version: row.version)
        } catch { throw RelayFault(.undecodable, id: row.id, "\(error)") }
    }

    private func encode<N: RemoteNotification>(
        _ notification: N, _ subject: String, _ id: Identity
    ) throws(RelayFault) -> Data {
        do { return try notification.encoded() } catch {
            throw RelayFault(.unencodable, subject: subject, id: id.text, "\(error)")
        }
    }

    /// Returns the form of a type. A type without a route, which only `publish` can send, gets a new form.
    private func form<N: RemoteNotification>(of type: N.Type) throws(RelayFault) -> EventForm {
        if let form = forms[ObjectIdentifier(type)] { return form }
        return try EventForm(
            N.eventType, N.wireContentType, hasSenders: N.hasSenders, context.subjects, postsOnly: true)
    }

    private func subject<N: RemoteNotification>(of notification: N, _ form: EventForm) throws(RelayFault) -> String {
        if let subject = form.subject { return subject }
        return try context.subjects.subject(
            form.type, partition: form.partition?(notification), sender: notification.remoteSender,
            hasSenders: N.hasSenders)
    }

    private func event(
        _ form: EventForm, _ subject: String, _ id: Identity, _ data: Data, _ time: Timestamp, atMost limit: Int
    ) throws(RelayFault) -> RelayMessage {
        let trace = RelayTraceContext.outgoing
        var message: RelayMessage
        if context.options.eventMode == .structured, let template = form.template {
            let bytes = template.event(
                id: id, source: context.options.name, instance: context.instance, time: time, trace: trace, data: data)
            message = RelayMessage(subject, headers: form.structuredHeaders, bytes: bytes)
        } else {
            let event = CloudEvent(
                id: id.text, source: context.options.name, type: form.typeName, time: time.text, trace: trace,
                contentType: form.contentType, data: data, instance: context.instance)
            message = event.message(subject, mode: context.options.eventMode)
            message.headers += form.ownHeaders
        }
        // The size is checked here, because a server closes the connection after a message that is too large.
        if message.size > limit {
            let detail = "\(message.size) bytes, and the limit is \(limit)"
            throw RelayFault(.payloadTooLarge, subject: subject, id: id.text, detail)
        }
        return message
    }
}
