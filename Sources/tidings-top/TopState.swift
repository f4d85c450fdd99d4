import TidingsInspector

/// What the reader wants to see, and what a key changes in it.
struct TopState: Equatable {
    /// What comes first.
    var ranking = Ranking.trouble
    /// Whether the reader has asked for calls to be measured, or to be measured no more.
    private(set) var hasAskedToMeasure = false

    /// Takes the wish to have calls measured, or not any longer.
    mutating func takeWishToMeasure() -> Bool {
        defer { hasAskedToMeasure = false }
        return hasAskedToMeasure
    }

    /// Whether the observers of one line are one row.
    private(set) var isGrouped = true

    /// A text that rows have in one of their texts, and whether it is being typed.
    private(set) var filter = ""
    private(set) var isTyping = false

    /// Whether what is shown stays.
    private(set) var isHeld = false
    /// Which snapshot of a recording is shown; `nil` for a running program.
    private(set) var position: Int?
    private let count: Int

    /// The state for a running program.
    init(_ ranking: Ranking, filter: String = "") {
        self.ranking = ranking
        self.filter = filter
        count = 0
    }

    /// The state for a recording of so many snapshots, at its end.
    init(_ ranking: Ranking, filter: String = "", recordingOf count: Int) {
        self.ranking = ranking
        self.filter = filter
        self.count = count
        position = count - 1
    }

    var isRecording: Bool { position != nil }

    /// Does what a key asks for.
    ///
    /// - Returns: Whether the program goes on.
    mutating func press(_ key: UInt8) -> Bool {
        if isTyping, key != 3, key != 4 {
            type(key)
            return true
        }
        switch key {
        case UInt8(ascii: "/"): isTyping = true
        // Escape.
        case 27: filter = ""
        case UInt8(ascii: "g"): isGrouped.toggle()
        case UInt8(ascii: "b"): ranking = .busy
        // Also ^C and ^D, which a raw terminal passes on as they are.
        case UInt8(ascii: "q"), UInt8(ascii: "Q"), 3, 4: return false
        case UInt8(ascii: "c"): hasAskedToMeasure = position == nil
        case UInt8(ascii: "t"): ranking = .trouble
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

    /// Types a key into the filter.
    private mutating func type(_ key: UInt8) {
        switch key {
        case 10, 13: isTyping = false
        case 27: (filter, isTyping) = ("", false)
        case 8, 127: filter = String(filter.dropLast())
        case 32..<127 where filter.count < 100: filter.unicodeScalars.append(Unicode.Scalar(key))
        default: break
        }
    }

    /// Whether a row has the filter in one of its texts.
    func matches(_ texts: String?...) -> Bool {
        let wanted = filter.lowercased()
        return wanted.isEmpty || texts.contains { $0?.lowercased().contains(wanted) ?? false }
    }
}
