#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension CloudEvent {
    /// Why a message is not an event.
    package struct Malformed: Error, Hashable, CustomStringConvertible {
        package let description: String
    }

    /// Reads an event, in the form that its headers tell; a message without headers is read as JSON.
    ///
    /// - Parameter message: The message.
    /// - Throws: What is wrong, if it is not an event.
    package init(_ message: RelayMessage) throws(Malformed) {
        let contentType = message.header("content-type")
        let form = contentType?.prefix { $0 != ";" && $0 != " " }.lowercased()
        if let form, form.hasPrefix("application/cloudevents") {
            guard form == "application/cloudevents" || form == "application/cloudevents+json" else {
                throw Malformed(description: "events in the form \(form) are not read")
            }
            try self.init(json: message.body)
        } else if message.header("ce-specversion") != nil || message.header("ce-type") != nil {
            try self.init(headersOf: message, contentType: contentType)
        } else {
            try self.init(json: message.body)
        }
    }

    private init(headersOf message: RelayMessage, contentType: String?) throws(Malformed) {
        func attribute(_ name: String) -> String? {
            message.header("ce-\(name)").map(HeaderText.unescaped)
        }
        try self.init(
            attribute, contentType: contentType.map(HeaderText.unescaped), data: message.body,
            plainTrace: message.header("traceparent"))
    }

    private init(json: Data) throws(Malformed) {
        let members: JSONMembers
        do { members = try JSONMembers(json) } catch { throw Malformed(description: "\(error)") }
        let contentType = members.string("datacontenttype")
        try self.init(
            { members.string($0) }, contentType: contentType, data: try Self.data(in: members, contentType),
            plainTrace: nil)
    }

    private init(
        _ attribute: (String) -> String?, contentType: String?, data: Data, plainTrace: String?
    ) throws(Malformed) {
        func required(_ name: String) throws(Malformed) -> String {
            guard let value = attribute(name), !value.isEmpty else {
                throw Malformed(description: "the event has no '\(name)' that is a string")
            }
            return value
        }
        let version = try required("specversion")
        guard version == "1.0" else { throw Malformed(description: "CloudEvents \(version) is not read, 1.0 is") }
        let parent = attribute("traceparent") ?? plainTrace
        self.init(
            id: try required("id"), source: try required("source"), type: try required("type"), time: attribute("time"),
            trace: parent.map { TraceContext(traceparent: $0, tracestate: attribute("tracestate")) },
            contentType: contentType ?? "application/json", data: data)
    }

    /// The data of an event in JSON: a value of it as it was written, or bytes that are encoded.
    private static func data(in members: JSONMembers, _ contentType: String?) throws(Malformed) -> Data {
        if let encoded = members.string("data_base64") {
            guard let data = Data(base64Encoded: encoded) else {
                throw Malformed(description: "'data_base64' is not base 64")
            }
            return data
        }
        if let contentType, !isJSON(contentType), let text = members.string("data") { return Data(text.utf8) }
        return members["data"] ?? Data()
    }
}
