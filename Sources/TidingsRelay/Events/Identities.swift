final class Identities: Sendable {
    private let prefix = random() + "-"
    private let last = Atomic<UInt64>(0)

    func next() -> Identity { Identity(prefix: prefix, number: last.wrappingAdd(1, ordering: .relaxed).newValue) }

    static func random() -> String {
        (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
    }
}

struct Identity: Sendable {
    let prefix: String
    /// `nil` if a user or an outbox chose the identity. The prefix is then the complete identity.
    let number: UInt64?

    var text: String { number.map { prefix + String($0) } ?? prefix }

    func append(to bytes: inout [UInt8]) {
        bytes.append(contentsOf: prefix.utf8)
        if let number { bytes.append(decimal: number) }
    }
}

extension Identity {
    init?(_ text: String) {
        let isFit = text.utf8.allSatisfy { Subjects.isPlain($0) || $0 == UInt8(ascii: ".") }
        guard isFit, 1...255 ~= text.utf8.count else { return nil }
        self.init(prefix: text, number: nil)
    }
}
