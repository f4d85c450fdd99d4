#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// The format in which a relay writes events. Every relay reads both formats.
@nonexhaustive
public enum RelayEventMode: String, Hashable, CaseIterable, Sendable {
    /// The event and its data are one JSON object, as in the NATS binding of CloudEvents 1.0.2.
    case structured
    /// The body is the data, and headers named `ce-…` are the attributes, as in the draft of CloudEvents 1.0.3.
    case binary
}

package struct CloudEvent: Hashable, Sendable {
    package var id: String
    package var source: String
    package var type: String
    package var time: String?
    package var trace: RelayTraceContext?
    package var contentType = "application/json"
    package var data: Data
    package var instance: String?

    static func isJSON(_ contentType: String) -> Bool {
        if contentType == "application/json" { return true }
        let type = contentType.prefix { $0 != ";" && $0 != " " }.lowercased()
        return type == "application/json" || type == "text/json" || type.hasSuffix("+json")
    }

    package func message(_ subject: String, mode: RelayEventMode) -> RelayMessage {
        switch mode {
        case .structured: return RelayMessage(subject, headers: Self.structuredHeaders, bytes: json)
        case .binary:
            var headers: [RelayMessage.Header] = []
            headers.reserveCapacity(8)
            forEachAttribute { headers.append(.init($0.headerName, HeaderText.escaped($1))) }
            headers.append(.init("content-type", HeaderText.escapedControls(contentType)))
            return RelayMessage(subject, headers: headers, bytes: Array(data))
        }
    }

    private func forEachAttribute(_ body: (Attribute, String) -> Void) {
        body(.specversion, "1.0")
        body(.id, id)
        body(.source, source)
        body(.type, type)
        if let time { body(.time, time) }
        if let instance { body(.tidingsinstance, instance) }
        if let trace {
            body(.traceparent, trace.traceparent)
            if let state = trace.tracestate { body(.tracestate, state) }
        }
    }

    static let structuredHeaders = [RelayMessage.Header("content-type", structuredForm)]

    private var json: [UInt8] {
        let isJSON = Self.isJSON(contentType)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(320 + source.utf8.count + (isJSON ? data.count : data.count * 4 / 3 + 4))
        func add(_ name: Attribute, _ value: String) {
            bytes.append(contentsOf: name.jsonName.utf8)
            JSONText.append(value, to: &bytes)
        }
        forEachAttribute(add)
        add(.datacontenttype, contentType)
        if isJSON {
            bytes.append(contentsOf: #","data":"#.utf8)
            bytes.append(contentsOf: data)
            bytes.append(contentsOf: "}".utf8)
        } else {
            bytes.append(contentsOf: #","data_base64":""#.utf8)
            bytes.append(contentsOf: data.base64EncodedData())
            bytes.append(contentsOf: "\"}".utf8)
        }
        return bytes
    }
}

/// Escapes quotes, `%`, and all bytes outside `0x21...0x7E` as `%XX`, so a line break can't start another header.
package enum HeaderText {
    static func escaped(_ text: String) -> String { text.escaped("%", unless: isPlain) }

    /// Escapes only `%` and bytes that a header can't contain. Other readers don't decode the header `content-type`,
    /// whose parameters contain spaces and quotes.
    static func escapedControls(_ text: String) -> String {
        text.escaped("%", unless: { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "%") })
    }

    package static func unescaped(_ text: String) -> String {
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
