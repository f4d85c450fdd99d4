/// Counts lines and bytes, and measures the longest time without a line.
actor Statistics {
    struct Count: Equatable {
        var lines = 0
        var bytes = 0
    }

    private(set) var output = Count()
    private(set) var errors = Count()
    /// The longest time between two lines, before the first line, or after the last line.
    private(set) var longestSilence = Duration.zero

    private var lastSound: ContinuousClock.Instant

    /// Starts counting. The silence before the first line starts at `time`.
    init(startingAt time: ContinuousClock.Instant) { lastSound = time }

    func count<Note: LineNotification>(_ note: Note) {
        switch Note.stream {
        case .output: count(note.line, in: &output)
        case .errors: count(note.line, in: &errors)
        }
    }

    func end(at time: ContinuousClock.Instant) { breakSilence(at: time) }

    private func count(_ line: Line, in count: inout Count) {
        count.lines += 1
        count.bytes += line.byteCount
        breakSilence(at: line.time)
    }

    private func breakSilence(at time: ContinuousClock.Instant) {
        longestSilence = max(longestSilence, lastSound.duration(to: time))
        lastSound = max(lastSound, time)
    }
}

struct Summary {
    let title: String
    let ending: Ending
    let output: Statistics.Count
    let errors: Statistics.Count
    let longestSilence: Duration
    let remarks: [String]
    let posts: Int
    let deliveries: Int

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
