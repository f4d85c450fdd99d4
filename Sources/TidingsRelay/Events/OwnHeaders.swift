enum OwnHeaders {
    private static let reserved = ["ce-", "nats-", "tidings-"]
    private static let taken: Set<String> = ["content-type", "traceparent", "tracestate", "status", "description"]

    private static func isOwn(_ name: String) -> Bool {
        let name = name.lowercased()
        return !taken.contains(name) && !reserved.contains(where: name.hasPrefix)
    }

    static func checked(_ headers: [String: String]) throws(RelayFault) -> [RelayMessage.Header] {
        var checked: [RelayMessage.Header] = []
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
            try Subjects.checkWord(name, "the name of a header")
            guard isOwn(name) else { throw RelayFault(.invalidName, "the header \(name) is reserved") }
            checked.append(.init(name, HeaderText.escaped(value)))
        }
        return checked
    }

    static func found(in message: RelayMessage) -> [String: String] {
        var found: [String: String] = [:]
        for header in message.headers where isOwn(header.name) {
            found[header.name] = HeaderText.unescaped(header.value)
        }
        return found
    }
}
