import TidingsInspector

/// The display settings, and how keys change them.
struct TopState: Equatable {
    /// The sort order.
    var ranking = Ranking.trouble
    /// Whether a key was pressed that starts or stops the measuring of calls.
    private(set) var hasAskedToMeasure = false

    /// Returns whether such a key was pressed since the previous call of this method.
    mutating func takeWishToMeasure() -> Bool {
        defer { hasAskedToMeasure = false }
        return hasAskedToMeasure
    }

    /// The list of stored notifications, while it is displayed.
    private(set) var stored: StoredScreen?
    private var wish: StoredWish?

    /// Returns the change of a stored notification that was requested since the previous call of this method.
    mutating func takeWishToChange() -> StoredWish? {
        defer { wish = nil }
        return wish
    }

    /// Shows new stored notifications, if they are displayed.
    mutating func show(_ new: InspectorSnapshot.Stored) { stored?.show(new) }

    /// Whether observers that were registered in the same line of source share a row.
    private(set) var isGrouped = true

    /// The text that one of a row's columns has to contain.
    private(set) var filter = ""
    /// Whether the filter is being typed.
    private(set) var isTyping = false

    /// Whether the display is held, so that new snapshots don't change it.
    private(set) var isHeld = false
    /// The index of the displayed snapshot in a recording; `nil` for a running program.
    private(set) var position: Int?
    private let count: Int

    /// Creates the state for a running program.
    init(_ ranking: Ranking, filter: String = "") {
        self.ranking = ranking
        self.filter = filter
        count = 0
    }

    /// Creates the state for a recording with the given number of snapshots, at its last one.
    init(_ ranking: Ranking, filter: String = "", recordingOf count: Int) {
        self.ranking = ranking
        self.filter = filter
        self.count = count
        position = count - 1
    }

    var isRecording: Bool { position != nil }

    /// Performs the action of a key.
    ///
    /// - Returns: Whether the program continues.
    mutating func press(_ key: UInt8) -> Bool {
        if isTyping, key != 3, key != 4 {
            type(key)
            return true
        }
        if stored != nil, key != UInt8(ascii: "o"), key != UInt8(ascii: "q"), key > 4 {
            wish = stored?.press(key)
            return true
        }
        switch key {
        case UInt8(ascii: "o"): stored = stored == nil && position == nil ? StoredScreen() : nil
        case UInt8(ascii: "/"): isTyping = true
        // The escape key.
        case 27: filter = ""
        case UInt8(ascii: "g"): isGrouped.toggle()
        case UInt8(ascii: "b"): ranking = .busy
        // A raw terminal also passes on ^C and ^D, which are 3 and 4.
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

    /// Edits the filter with a key.
    private mutating func type(_ key: UInt8) {
        switch key {
        case 10, 13: isTyping = false
        case 27: (filter, isTyping) = ("", false)
        case 8, 127: filter = String(filter.dropLast())
        case 32..<127 where filter.count < 100: filter.unicodeScalars.append(Unicode.Scalar(key))
        default: break
        }
    }

    /// Returns whether one of a row's texts contains the filter.
    func matches(_ texts: String?...) -> Bool {
        let wanted = filter.lowercased()
        return wanted.isEmpty || texts.contains { $0?.lowercased().contains(wanted) ?? false }
    }
}
