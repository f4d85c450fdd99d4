package struct StreamDelivery: Hashable, Sendable {
    package let acknowledgement: String
    /// The number of deliveries of the message, including this one.
    package let count: Int
    package let sequence: UInt64

    /// Parses `$JS.ACK.stream.consumer.deliveries.streamSequence.consumerSequence.time.pending`, or the longer form
    /// `$JS.ACK.domain.account.stream.…`.
    package init?(_ reply: String) {
        guard reply.utf8.starts(with: "$JS.ACK.".utf8) else { return nil }
        // This code runs for each message, so it creates no strings. `numbers` contains the fifth to eighth parts.
        var numbers: [UInt64?] = [nil, nil, nil, nil]
        var (part, value) = (0, UInt64?(0))
        var isEmpty = true
        for byte in reply.utf8 {
            if byte == UInt8(ascii: ".") {
                if (4..<8).contains(part), !isEmpty { numbers[part - 4] = value }
                (part, value, isEmpty) = (part + 1, 0, true)
            } else {
                let digit = UInt64(byte &- UInt8(ascii: "0"))
                let (product, overflows) = (value ?? 0).multipliedReportingOverflow(by: 10)
                let (sum, exceeds) = product.addingReportingOverflow(digit)
                value = value == nil || digit > 9 || overflows || exceeds ? nil : sum
                isEmpty = false
            }
        }
        let deliveries = part == 8 ? 0 : 2
        guard part >= 8, let number = numbers[deliveries], let count = Int(exactly: number), count > 0,
            let sequence = numbers[deliveries + 1]
        else { return nil }
        acknowledgement = reply
        self.count = count
        self.sequence = sequence
    }
}

enum Acknowledgement: Hashable, Sendable {
    case done
    case again(after: Duration)
    case never
    /// A heartbeat, after which the server waits longer before it redelivers the message.
    case inProgress

    var text: String {
        switch self {
        case .done: "+ACK"
        case .again(let delay): delay > .zero ? #"-NAK {"delay":\#(delay.nanoseconds)}"# : "-NAK"
        case .never: "+TERM"
        case .inProgress: "+WPI"
        }
    }
}
