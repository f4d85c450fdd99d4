#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

struct ArrivedEvent: Sendable {
    private let bytes: [UInt8]
    private let places: EventTemplate.Places?
    private let event: CloudEvent?

    init(_ message: RelayMessage, expecting form: EventForm) throws(CloudEvent.Malformed) {
        bytes = message.bytes
        places =
            message.headers.isEmpty || message.header("content-type") == CloudEvent.structuredForm
            ? form.template?.places(in: bytes) : nil
        event = places == nil ? try CloudEvent(message) : nil
        type = event?.type ?? form.typeName
    }

    let type: String
    var id: String { text(places?.id) ?? event?.id ?? "" }
    var source: String { text(places?.source) ?? event?.source ?? "" }
    var time: String? { text(places?.time) ?? event?.time }
    var trace: RelayTraceContext? { event?.trace }
    var data: Data { places.map { Data(bytes[$0.data]) } ?? event?.data ?? Data() }

    var key: String { "\(source) \(id)" }

    var instance: String? { places.map { $0.instance.isEmpty ? nil : text($0.instance) } ?? event?.instance }

    /// Whether a program with this name and instance sent the event. Only the name counts if the event has no instance.
    func isFrom(_ name: String, _ instance: String) -> Bool {
        guard isFrom(name) else { return false }
        guard let place = places?.instance else { return event?.instance.map { $0 == instance } ?? true }
        return place.isEmpty || (place.count == instance.utf8.count && instance.utf8.elementsEqual(bytes[place]))
    }

    func isFrom(_ name: String) -> Bool {
        guard let place = places?.source else { return event?.source == name }
        return place.count == name.utf8.count && name.utf8.elementsEqual(bytes[place])
    }

    private func text(_ place: Range<Int>?) -> String? {
        place.map { String(decoding: bytes[$0], as: UTF8.self) }
    }

    init(_ message: RelayMessage, of form: EventForm) throws(RelayFault) {
        do throws(CloudEvent.Malformed) { try self.init(message, expecting: form) } catch {
            throw RelayFault(.undecodable, subject: message.subject, id: message.header("ce-id"), "\(error)")
        }
    }

    func decoded<N: RemoteNotification>(
        as type: N.Type, _ form: EventForm, _ message: RelayMessage
    ) throws(RelayFault) -> N {
        // Nearly all events have the type and version that this program writes, so their type needn't be parsed.
        guard let found = self.type == form.typeName ? form.type : EventType(self.type), found.name == form.type.name
        else {
            throw RelayFault(.unknownType, subject: message.subject, id: id, "\(self.type), not \(form.type.name)")
        }
        guard N.readableVersions.contains(found.version) else {
            let known = N.readableVersions
            throw RelayFault(
                .unknownVersion, subject: message.subject, id: id,
                "\(self.type); this program reads versions \(known.lowerBound) to \(known.upperBound)")
        }
        do { return try N.decoded(data, version: found.version) } catch {
            throw RelayFault(.undecodable, subject: message.subject, id: id, "\(error)")
        }
    }
}
