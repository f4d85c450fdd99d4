enum Token {
    static func make() -> String {
        let characters = Array("abcdefghijklmnopqrstuvwxyz234567")
        return String((0..<32).map { _ in characters[.random(in: 0..<32)] })
    }

    /// Returns the reason why a token is invalid. The text mustn't contain the token, because errors show the text.
    static func objection(to token: String) -> String? {
        let count = token.utf8.count
        if count < shortest {
            let characters = count == 1 ? "character" : "characters"
            return "the inspector's token has \(count) \(characters), and needs at least \(shortest), because a "
                + "shorter one can be guessed"
        }
        if isToken(token) { return nil }
        return "the inspector's token may only contain letters, digits, hyphens and underscores"
    }

    private static let shortest = 16

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
