import Synchronization

/// Makes identities that nobody else makes.
final class Identities: Sendable {
    private let prefix = random() + "-"
    private let last = Atomic<UInt64>(0)

    /// The next identity.
    func next() -> Identity { Identity(prefix: prefix, number: last.add(1, ordering: .relaxed).newValue) }

    /// Letters and digits that are another's with a probability that need not be considered.
    static func random() -> String {
        (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
    }
}

/// What tells an event from all others: letters, digits and `-`.
struct Identity: Sendable {
    let prefix: String
    let number: UInt64

    var text: String { prefix + String(number) }

    /// Writes the identity behind other bytes.
    func append(to bytes: inout [UInt8]) {
        bytes.append(contentsOf: prefix.utf8)
        bytes.append(decimal: number)
    }
}
