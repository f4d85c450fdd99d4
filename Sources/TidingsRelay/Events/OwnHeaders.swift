/// The headers that a program gives to a notification, beside those of an event and of the server.
enum OwnHeaders {
    /// The beginnings of names that others give a meaning to, and whole ones.
    private static let reserved = ["ce-", "nats-", "tidings-"]
    private static let taken: Set<String> = ["content-type", "traceparent", "tracestate", "status", "description"]

    private static func isOwn(_ name: String) -> Bool {
        let name = name.lowercased()
        return !taken.contains(name) && !reserved.contains(where: name.hasPrefix)
    }

    /// Headers as they are sent, in the order of their names. The values can be any text: what a line cannot have is escaped.
    ///
    /// - Throws: A fault if a name cannot be one, or is another's.
    static func checked(_ headers: [String: String]) throws(RelayFault) -> [RelayMessage.Header] {
        var checked: [RelayMessage.Header] = []
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
            try Subjects.checkWord(name, "the name of a header")
            guard isOwn(name) else { throw RelayFault(.invalidName, "the header \(name) has a meaning of its own") }
            checked.append(.init(name, HeaderText.escaped(value)))
        }
        return checked
    }

    /// The headers of a message that are a program's own.
    static func found(in message: RelayMessage) -> [String: String] {
        var found: [String: String] = [:]
        for header in message.headers where isOwn(header.name) {
            found[header.name] = HeaderText.unescaped(header.value)
        }
        return found
    }
}
