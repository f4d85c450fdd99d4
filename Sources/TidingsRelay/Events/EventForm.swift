/// The parts that all events of a type share. This is a class, because a copy of a structure would retain its members.
final class EventForm: Sendable {
    let type: EventType
    let typeName: String
    let contentType: String
    let template: EventTemplate?
    /// Each form has its own array, because threads that share an array contend for its reference count.
    let structuredHeaders: [RelayMessage.Header]
    let ownHeaders: [RelayMessage.Header]

    static let partitionHeader = "tidings-partitions"
    /// The header of events from a program that posts this type without receiving it. Without the header, replicas that
    /// share a consumer skip the event, because observers of the program that posted it have received it.
    static let postsOnlyHeader = "tidings-posts-only"

    let subject: String?
    let partition: (@Sendable (Any) -> String?)?

    init(
        _ type: EventType, _ contentType: String, hasSenders: Bool, _ subjects: Subjects,
        partition: (@Sendable (Any) -> String?)? = nil, partitions: Int? = nil, postsOnly: Bool = false
    ) throws(RelayFault) {
        self.partition = partition
        let partitionHeaders: [RelayMessage.Header] = partitions.map { [.init(Self.partitionHeader, "\($0)")] } ?? []
        ownHeaders = partitionHeaders + (postsOnly ? [.init(Self.postsOnlyHeader, "1")] : [])
        structuredHeaders = [.init("content-type", CloudEvent.structuredForm)] + ownHeaders
        self.type = type
        self.contentType = contentType
        typeName = type.description
        template = EventTemplate(typeName, contentType)
        subject = hasSenders || partition != nil ? nil : try subjects.subject(type, sender: nil, hasSenders: false)
    }
}
