import TidingsInspector

/// What the reader wants to see, and what a key changes in it.
struct TopState: Equatable {
    /// What comes first.
    var ranking = Ranking.queue
    /// Whether what is shown stays.
    private(set) var isHeld = false
    /// Which snapshot of a recording is shown; `nil` for a running program.
    private(set) var position: Int?
    private let count: Int

    /// The state for a running program.
    init(_ ranking: Ranking) {
        self.ranking = ranking
        count = 0
    }

    /// The state for a recording of so many snapshots, at its end.
    init(_ ranking: Ranking, recordingOf count: Int) {
        self.ranking = ranking
        self.count = count
        position = count - 1
    }

    var isRecording: Bool { position != nil }

    /// Does what a key asks for.
    ///
    /// - Returns: Whether the program goes on.
    mutating func press(_ key: UInt8) -> Bool {
        switch key {
        // Also ^C and ^D, which a raw terminal passes on as they are.
        case UInt8(ascii: "q"), UInt8(ascii: "Q"), 3, 4: return false
        case UInt8(ascii: "w"): ranking = .queue
        case UInt8(ascii: "d"): ranking = .drops
        case UInt8(ascii: "r"): ranking = .rate
        case UInt8(ascii: "h"), UInt8(ascii: " "): isHeld.toggle()
        case UInt8(ascii: "n"): position = position.map { min($0 + 1, count - 1) }
        case UInt8(ascii: "p"): position = position.map { max($0 - 1, 0) }
        default: break
        }
        return true
    }
}
