/// The text that a request has to have, and that cannot be guessed.
enum Token {
    /// A token of 160 random bits.
    static func make() -> String {
        let characters = Array("abcdefghijklmnopqrstuvwxyz234567")
        var generator = SystemRandomNumberGenerator()
        return String((0..<32).map { _ in characters[Int(generator.next() % 32)] })
    }

    /// Whether a text can be a token: long enough, and the same in a URL, a cookie and a header.
    static func isToken(_ text: String) -> Bool {
        text.utf8.count >= 16
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
