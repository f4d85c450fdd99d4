#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

package struct RelayMessage: Hashable, Sendable {
    package struct Header: Hashable, Sendable {
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package var subject: String
    package var reply: String?
    package var headers: [Header]
    package var bytes: [UInt8]

    package init(_ subject: String, reply: String? = nil, headers: [Header] = [], bytes: [UInt8] = []) {
        self.subject = subject
        self.reply = reply
        self.headers = headers
        self.bytes = bytes
    }

    package init(_ subject: String, reply: String? = nil, text: String) {
        self.init(subject, reply: reply, bytes: Array(text.utf8))
    }

    package var body: Data { Data(bytes) }

    package func header(_ name: String) -> String? {
        headers.first { $0.name == name }?.value
            ?? headers.first { $0.name.utf8.count == name.utf8.count && $0.name.lowercased() == name.lowercased() }?
            .value
    }

    /// The size that a server compares with its limit: the body and the encoded headers.
    package var size: Int {
        if headers.isEmpty { return bytes.count }
        // "NATS/1.0" and an empty line take 12 bytes. For each header, ": " and a line break take 4.
        return headers.reduce(bytes.count + 12) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    }

    package var lastPart: Substring {
        subject[(subject.lastIndex(of: ".").map(subject.index(after:)) ?? subject.startIndex)...]
    }
}
