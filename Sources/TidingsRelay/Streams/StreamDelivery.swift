/// One delivery of a stored message, as the server's acknowledgement subject describes it.
package struct StreamDelivery: Hashable, Sendable {
    /// Where to acknowledge it.
    package let acknowledgement: String

    /// How often it has been delivered, this time included.
    package let count: Int

    /// Its number in the stream.
    package let sequence: UInt64

    /// Reads `$JS.ACK.stream.consumer.deliveries.streamSequence.consumerSequence.time.pending`, or the longer form that begins
    /// `$JS.ACK.domain.account.stream.…`; `nil` if it is something else.
    package init?(_ reply: String) {
        guard reply.utf8.starts(with: "$JS.ACK.".utf8) else { return nil }
        // Read byte by byte, as each message has one: the parts from the fifth to the eighth, where they are numbers.
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

/// What a program tells a server about a delivery.
enum Acknowledgement: Hashable, Sendable {
    /// The message is done with.
    case done
    /// Deliver it again, after a time.
    case again(after: Duration)
    /// Do not deliver it again.
    case never
    /// It is being worked on.
    case inProgress

    var text: String {
        switch self {
        case .done: "+ACK"
        case .again(let delay):
            delay > .zero ? #"-NAK {"delay":\#(delay.nanoseconds)}"# : "-NAK"
        case .never: "+TERM"
        case .inProgress: "+WPI"
        }
    }
}
