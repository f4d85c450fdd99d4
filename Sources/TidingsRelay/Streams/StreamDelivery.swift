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
        let parts = reply.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 9, parts[0] == "$JS", parts[1] == "ACK" else { return nil }
        let deliveries = parts.count == 9 ? 4 : 6
        guard parts.count > deliveries + 1, let count = Int(parts[deliveries]), count > 0,
            let sequence = UInt64(parts[deliveries + 1])
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

extension Duration {
    /// The duration in whole nanoseconds, as servers take it.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflows ? .max : product &+ attoseconds / 1_000_000_000
    }
}
