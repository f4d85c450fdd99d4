#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// How an event is written into a message. Both forms are read, whichever is written.
public enum EventMode: String, Hashable, CaseIterable, Sendable {
    /// The event and its data are one JSON object, as the released binding for NATS has it (CloudEvents 1.0.2).
    case structured
    /// The data are the body, and the attributes are headers that begin with `ce-`, as the draft of 1.0.3 has it.
    case binary
}

/// What surrounds a notification on the wire: CloudEvents 1.0.
package struct CloudEvent: Hashable, Sendable {
    package var id: String
    package var source: String
    /// The type as text; ``EventType`` reads it.
    package var type: String
    package var time: String?
    package var trace: TraceContext?
    package var contentType: String
    package var data: Data

    package init(
        id: String, source: String, type: String, time: String? = nil, trace: TraceContext? = nil,
        contentType: String = "application/json", data: Data
    ) {
        self.id = id
        self.source = source
        self.type = type
        self.time = time
        self.trace = trace
        self.contentType = contentType
        self.data = data
    }

    /// Whether a media type is JSON, whatever its parameters.
    static func isJSON(_ contentType: String) -> Bool {
        let type = contentType.prefix { $0 != ";" && $0 != " " }.lowercased()
        return type == "application/json" || type == "text/json" || type.hasSuffix("+json")
    }
}

extension CloudEvent {
    /// The attributes in the order in which they are written, with their names in JSON and, after `ce-`, in headers.
    private var attributes: [(name: String, value: String)] {
        var attributes = [("specversion", "1.0"), ("id", id), ("source", source), ("type", type)]
        if let time { attributes.append(("time", time)) }
        if let trace {
            attributes.append(("traceparent", trace.traceparent))
            if let state = trace.tracestate { attributes.append(("tracestate", state)) }
        }
        return attributes
    }

    /// The message that carries the event.
    ///
    /// - Parameters:
    ///   - subject: The subject of the message.
    ///   - mode: How the event is written.
    /// - Returns: The message.
    package func message(_ subject: String, mode: EventMode) -> RelayMessage {
        switch mode {
        case .structured:
            RelayMessage(subject, headers: [.init("content-type", "application/cloudevents+json")], body: json)
        case .binary:
            RelayMessage(
                subject,
                headers: attributes.map { .init("ce-\($0.name)", HeaderText.escaped($0.value)) }
                    + [.init("content-type", HeaderText.escaped(contentType))],
                body: data)
        }
    }

    private var json: Data {
        var text = "{"
        for (name, value) in attributes + [("datacontenttype", contentType)] {
            text += "\"\(name)\":\(JSONText.string(value)),"
        }
        let isJSON = Self.isJSON(contentType)
        var json = Data(capacity: text.utf8.count + 16 + (isJSON ? data.count : data.count * 4 / 3 + 4))
        json.append(contentsOf: text.utf8)
        json.append(contentsOf: (isJSON ? "\"data\":" : "\"data_base64\":\"").utf8)
        json.append(isJSON ? data : data.base64EncodedData())
        json.append(contentsOf: (isJSON ? "}" : "\"}").utf8)
        return json
    }
}

/// Header values: printable ASCII, and all else as `%` and two hexadecimal digits. A line break cannot begin a header of its own.
enum HeaderText {
    static func escaped(_ text: String) -> String {
        if text.utf8.allSatisfy(isPlain) { return text }
        var result = ""
        for byte in text.utf8 {
            if isPlain(byte) {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                result += byte < 16 ? "%0" : "%"
                result += String(byte, radix: 16, uppercase: true)
            }
        }
        return result
    }

    static func unescaped(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
            if byte == UInt8(ascii: "%"), digits.count == 2 {
                bytes.append(UInt8(digits[0] * 16 + digits[1]))
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "%") && byte != UInt8(ascii: "\"")
    }
}
