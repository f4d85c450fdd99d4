/// Makes subjects. A type without senders has the subject `prefix.name.v1`, and a type with senders
/// `prefix.name.v1.~.sender`. Names contain no `~`, so the forms can't be confused. A pattern matches one or all
/// versions, with one or all senders. Names are checked, because spaces and wildcards have a meaning in the protocol.
/// In senders, each byte that isn't an ASCII letter, a digit, `-` or `_` becomes `=` and two hexadecimal digits.
package struct Subjects: Hashable, Sendable {
    package let prefix: String

    package init(prefix: String) throws(RelayFault) {
        try Self.check(prefix, "the prefix of subjects")
        self.prefix = prefix
    }

    /// Returns a subject. The name must be valid. If there is a partition, it takes the place of the version. A missing
    /// or empty sender is written as `=`.
    package func subject(
        _ type: EventType, partition: String? = nil, sender: String?, hasSenders: Bool
    ) throws(RelayFault) -> String {
        let subject = partition.map { "\(prefix).\(type.name).\($0)" } ?? "\(prefix).\(type)"
        return hasSenders ? "\(subject).~.\(try Self.token(sender))" : subject
    }

    /// Returns a pattern. `part` is a version or a partition, or `*` for all. If `sender` is `nil`, all senders match.
    package func pattern(
        _ name: String, part: String = "*", sender: String?, hasSenders: Bool
    ) throws(RelayFault) -> String {
        guard hasSenders else { return "\(prefix).\(name).\(part)" }
        return
            "\(prefix).\(name).\(part).~.\(try sender.map { sender throws(RelayFault) in try Self.token(sender) } ?? "*")"
    }

    /// The maximum length of a name, and of an escaped sender. A server accepts lines of at most 4,096 bytes.
    static let longest = 255

    static func token(_ sender: String?) throws(RelayFault) -> String {
        guard let sender, !sender.isEmpty else { return "=" }
        let token = sender.escaped("=", unless: isPlain)
        if token.utf8.count <= longest { return token }
        let words = "the sender is longer than \(longest) bytes when escaped: \(token.prefix(longest))…"
        throw RelayFault(.invalidName, words)
    }

    package static func check(_ name: String, _ role: String) throws(RelayFault) {
        for part in name.split(separator: ".", omittingEmptySubsequences: false) { try checkPart(part, role, of: name) }
    }

    package static func checkWord(_ name: String, _ role: String) throws(RelayFault) {
        try checkPart(name[...], role, of: name)
    }

    private static func checkPart(_ part: Substring, _ role: String, of name: String) throws(RelayFault) {
        if name.utf8.count <= longest, !part.isEmpty, part.utf8.allSatisfy(isPlain) { return }
        let shown = String(name.prefix(60)).debugDescription
        throw RelayFault(
            .invalidName,
            "\(shown) cannot be \(role): use ASCII letters, digits, - and _, at most \(longest) bytes, no empty part")
    }

    static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
