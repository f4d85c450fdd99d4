/// The text that a request has to have, and that cannot be guessed.
enum Token {
    /// A token of 160 random bits.
    static func make() -> String {
        let characters = Array("abcdefghijklmnopqrstuvwxyz234567")
        var generator = SystemRandomNumberGenerator()
        return String((0..<32).map { _ in characters[Int(generator.next() % 32)] })
    }

    /// What is wrong with a token; `nil` if nothing is. The token itself is not said, as the reason is printed.
    static func objection(to token: String) -> String? {
        if token.utf8.count < shortest {
            return
                "the inspector's token has \(token.utf8.count) characters, and needs at least \(shortest): one that is "
                + "shorter can be guessed"
        }
        if isToken(token) { return nil }
        return "the inspector's token has other characters than letters, digits, hyphens and underscores"
    }

    private static let shortest = 16

    /// Whether a text can be a token: long enough, and the same in a URL, a cookie and a header.
    static func isToken(_ text: String) -> Bool {
        text.utf8.count >= shortest
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}
