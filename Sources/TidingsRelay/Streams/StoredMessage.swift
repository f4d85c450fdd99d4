struct StoredMessage: Sendable {
    let message: RelayMessage
    let sequence: UInt64

    init?(_ members: JSONMembers) {
        guard let subject = members.string("subject"), let number = members.number("seq"),
            let sequence = UInt64(exactly: number)
        else { return nil }
        self.sequence = sequence
        let lines = String(decoding: members.bytes("hdrs") ?? [], as: UTF8.self).split(separator: "\r\n")
        // The first line contains the version.
        let headers = lines.dropFirst().compactMap { line -> RelayMessage.Header? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            return RelayMessage.Header(String(line[..<colon]), String(value))
        }
        message = RelayMessage(subject, headers: headers, bytes: members.bytes("data") ?? [])
    }
}
