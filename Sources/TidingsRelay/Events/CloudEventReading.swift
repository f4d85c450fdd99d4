#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension CloudEvent {
    package struct Malformed: Error, Hashable, CustomStringConvertible {
        package let description: String
    }

    package static let structuredForm = "application/cloudevents+json"

    package init(_ message: RelayMessage) throws(Malformed) {
        let contentType = message.header("content-type")
        let form = contentType?.prefix { $0 != ";" && $0 != " " }.lowercased()
        if contentType == Self.structuredForm || form == Self.structuredForm || form == "application/cloudevents" {
            try self.init(json: message.bytes)
        } else if let form, form.hasPrefix("application/cloudevents") {
            throw Malformed(description: "the event format \(form) is not supported")
        } else if message.header("ce-specversion") != nil || message.header("ce-type") != nil {
            try self.init(headersOf: message, contentType: contentType)
        } else {
            try self.init(json: message.bytes)
        }
    }

    private init(headersOf message: RelayMessage, contentType: String?) throws(Malformed) {
        func attribute(_ name: Attribute) -> String? {
            message.header(name.headerName).map(HeaderText.unescaped)
        }
        let plainTrace = message.header("traceparent").map {
            RelayTraceContext(traceparent: $0, tracestate: message.header("tracestate"))
        }
        try self.init(
            attribute, contentType: contentType.map(HeaderText.unescaped), data: message.body, plainTrace: plainTrace)
    }

    private init(json bytes: [UInt8]) throws(Malformed) {
        let members: EventMembers
        do { members = try EventMembers(bytes) } catch { throw Malformed(description: "\(error)") }
        let contentType = members.string(.datacontenttype)
        try self.init(
            members.string, contentType: contentType, data: try Self.data(in: members, contentType), plainTrace: nil)
    }

    private init(
        _ attribute: (Attribute) -> String?, contentType: String?, data: Data, plainTrace: RelayTraceContext?
    ) throws(Malformed) {
        func required(_ name: Attribute) throws(Malformed) -> String {
            guard let value = attribute(name), !value.isEmpty else {
                throw Malformed(description: "the event has no valid attribute '\(Attribute.names[name.rawValue])'")
            }
            return value
        }
        let version = try required(.specversion)
        guard version == "1.0" else {
            throw Malformed(description: "CloudEvents \(version) is not supported, only 1.0")
        }
        let trace = attribute(.traceparent).map {
            RelayTraceContext(traceparent: $0, tracestate: attribute(.tracestate))
        }
        self.init(
            id: try required(.id), source: try required(.source), type: try required(.type), time: attribute(.time),
            trace: trace ?? plainTrace, contentType: contentType ?? "application/json", data: data,
            instance: attribute(.tidingsinstance))
    }

    private static func data(in members: EventMembers, _ contentType: String?) throws(Malformed) -> Data {
        if let encoded = members.string(.data_base64) {
            guard let data = Data(base64Encoded: encoded) else {
                throw Malformed(description: "'data_base64' is not valid Base64")
            }
            return data
        }
        if let contentType, !isJSON(contentType), let text = members.string(.data) { return Data(text.utf8) }
        return members[.data].map { Data(members.bytes[$0]) } ?? Data()
    }
}

enum Attribute: Int, CaseIterable {
    case specversion, id, source, type, time, traceparent, tracestate, datacontenttype, data
    case data_base64
    case tidingsinstance

    var jsonName: String {
        switch self {
        case .specversion: #"{"specversion":"#
        case .id: #","id":"#
        case .source: #","source":"#
        case .type: #","type":"#
        case .time: #","time":"#
        case .traceparent: #","traceparent":"#
        case .tracestate: #","tracestate":"#
        case .datacontenttype: #","datacontenttype":"#
        case .data: #","data":"#
        case .data_base64: #","data_base64":"#
        case .tidingsinstance: #","tidingsinstance":"#
        }
    }

    fileprivate static let names = allCases.map { String($0.jsonName.dropFirst(2).dropLast(2)) }
    fileprivate static let nameBytes = names.map { Array($0.utf8) }
    private static let headerNames = names.map { "ce-\($0)" }

    var headerName: String { Self.headerNames[rawValue] }
}

/// The members of an event's JSON object. If a name occurs twice, the later value is used.
private struct EventMembers {
    let bytes: [UInt8]
    private var places = [Range<Int>](repeating: 0..<0, count: Attribute.allCases.count)

    init(_ bytes: [UInt8]) throws(JSONMembers.Malformed) {
        self.bytes = bytes
        let names = Attribute.nameBytes
        var scanner = JSONScanner(bytes)
        while let member = try scanner.next() {
            let inner = member.name.lowerBound + 1..<member.name.upperBound - 1
            if let index = names.firstIndex(where: { Self.isEqual($0, bytes, inner) }) {
                places[index] = member.value
            } else if let name = JSONText.string(in: bytes, member.name) {
                // JSON allows escapes in names, although no known program writes them.
                if let index = Attribute.names.firstIndex(of: name) { places[index] = member.value }
            } else {
                throw .init(position: member.name.lowerBound, expected: "a name")
            }
        }
    }

    private static func isEqual(_ name: [UInt8], _ bytes: [UInt8], _ place: Range<Int>) -> Bool {
        if name.count != place.count { return false }
        for index in name.indices where name[index] != bytes[place.lowerBound + index] { return false }
        return true
    }

    subscript(attribute: Attribute) -> Range<Int>? {
        let place = places[attribute.rawValue]
        return place.isEmpty ? nil : place
    }

    func string(_ attribute: Attribute) -> String? {
        self[attribute].flatMap { JSONText.string(in: bytes, $0) }
    }
}
