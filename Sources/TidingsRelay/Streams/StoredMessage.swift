/// A message of a stream, as a server returns it on request.
struct StoredMessage: Sendable {
    let subject: String
    let sequence: UInt64
    let headers: [RelayMessage.Header]
    let bytes: [UInt8]

    init?(_ members: JSONMembers) {
        guard let subject = members.string("subject"), let number = members.number("seq"),
            let sequence = UInt64(exactly: number)
        else { return nil }
        self.subject = subject
        self.sequence = sequence
        bytes = members.bytes("data") ?? []
        let block = members.bytes("hdrs") ?? []
        // The first line contains the version.
        headers = String(decoding: block, as: UTF8.self).split(separator: "\r\n").dropFirst().compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            return RelayMessage.Header(String(line[..<colon]), String(value))
        }
    }

    /// Returns the value of a header. The case of the name doesn't matter.
    func header(_ name: String) -> String? { RelayMessage(subject, headers: headers).header(name) }
}
