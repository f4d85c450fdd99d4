/// What is told at the end.
struct Summary {
    let title: String
    let ending: Ending
    let output: Statistics.Count
    let errors: Statistics.Count
    let longestSilence: Duration
    let remarks: [String]
    let posts: Int
    let deliveries: Int

    /// The summary, line by line.
    var lines: [String] {
        [
            "\(title): \(ending)",
            "output \(Self.words(output)); errors \(Self.words(errors))",
            "longest silence \(Self.words(longestSilence))",
        ] + remarks + ["\(Self.words(posts, "post")), \(Self.words(deliveries, "delivery", "deliveries"))"]
    }

    private static func words(_ count: Statistics.Count) -> String {
        "\(words(count.lines, "line")), \(words(count.bytes, "byte"))"
    }

    private static func words(_ number: Int, _ one: String, _ many: String? = nil) -> String {
        number == 1 ? "1 \(one)" : "\(number) \(many ?? one + "s")"
    }

    private static func words(_ duration: Duration) -> String {
        let milliseconds = Int(duration / .milliseconds(1))
        if milliseconds < 1000 { return "\(milliseconds) ms" }
        let fraction = String(milliseconds % 1000 + 1000).dropFirst()
        return "\(milliseconds / 1000).\(fraction) s"
    }
}
