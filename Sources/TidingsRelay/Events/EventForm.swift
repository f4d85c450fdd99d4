/// What is the same for all events of a notification type, made once. An object, so that it is passed on as one reference.
final class EventForm: Sendable {
    let type: EventType
    /// The type as text.
    let typeName: String
    let contentType: String

    /// How events are written in the structured form; `nil` if their data are not JSON.
    let template: EventTemplate?

    /// The headers of an event in the structured form. Not one array for all forms, see ``EventTemplate``.
    let structuredHeaders: [RelayMessage.Header]

    /// The headers of an event beside those of its form: how many partitions there are, so that who reads another number of them knows that
    /// it misses some, and whether its program reads what it posts.
    let ownHeaders: [RelayMessage.Header]

    static let partitionHeader = "tidings-partitions"

    /// The header of an event whose program reads none of its type. So it is no echo to a program of the same name.
    static let postsOnlyHeader = "tidings-posts-only"

    /// The subject of all notifications of the type; `nil` if it depends on the notification.
    let subject: String?

    /// The part of the subject of a notification that says its partition; `nil` if there are none.
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
