import TidingsInspector

struct TopState: Equatable {
    var ranking = Ranking.trouble
    private(set) var hasAskedToMeasure = false

    mutating func takeWishToMeasure() -> Bool {
        defer { hasAskedToMeasure = false }
        return hasAskedToMeasure
    }

    private(set) var stored: StoredScreen?
    private var wish: StoredWish?

    mutating func takeWishToChange() -> StoredWish? { wish.take() }

    /// While the display is held, the list changes only until the store of each outbox has responded or failed.
    mutating func show(_ new: InspectorSnapshot.Stored) {
        if isHeld, let shown = stored?.stored, shown.outboxes.allSatisfy({ $0.isKnown || $0.error != nil }) { return }
        stored?.show(new)
    }

    mutating func show(_ failure: Failure, ofChange isOfChange: Bool) {
        if isOfChange { stored?.changeFailure = failure } else { stored?.failure = failure }
    }

    private(set) var isGrouped = true
    private(set) var filter = ""
    private(set) var isTyping = false
    private(set) var isHeld = false
    /// The index of the displayed snapshot in a recording, or `nil` for a running program.
    private(set) var position: Int?
    private let count: Int

    init(_ ranking: Ranking, filter: String = "", recordingOf count: Int? = nil) {
        self.ranking = ranking
        self.filter = filter
        self.count = count ?? 0
        position = count.map { $0 - 1 }
    }

    var isRecording: Bool { position != nil }

    /// Handles a key, and returns whether the program continues.
    mutating func press(_ key: UInt8) -> Bool {
        if isTyping, key != 3, key != 4 {
            type(key)
            return true
        }
        if stored != nil, key > 4 {
            // The list receives all keys, because each key except `x` cancels the first press of `x`.
            wish = stored?.press(key)
            if !"oqQh ".utf8.contains(key) { return true }
        }
        switch key {
        case UInt8(ascii: "o"): stored = stored == nil && position == nil ? StoredScreen() : nil
        case UInt8(ascii: "/"): isTyping = true
        case 27: filter = ""
        case UInt8(ascii: "g"): isGrouped.toggle()
        case UInt8(ascii: "b"): ranking = .busy
        // In raw mode, ^C and ^D don't end the program. They arrive as the keys 3 and 4.
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

    private mutating func type(_ key: UInt8) {
        switch key {
        case 10, 13: isTyping = false
        case 27: (filter, isTyping) = ("", false)
        case 8, 127: filter = String(filter.dropLast())
        case 32..<127 where filter.count < 100: filter.unicodeScalars.append(Unicode.Scalar(key))
        default: break
        }
    }
}
