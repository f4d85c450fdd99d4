import TidingsInspector

struct StoredWish: Equatable, Sendable {
    let outbox: String
    let action: InspectorSnapshot.StoredChange.Action
    let entry: InspectorSnapshot.StoredEntry
}

struct StoredScreen: Equatable {
    struct Row: Equatable {
        let outbox: String
        let entry: InspectorSnapshot.StoredEntry
    }

    private(set) var rows: [Row] = []
    private(set) var index = 0
    private(set) var stored: InspectorSnapshot.Stored?
    /// Whether pressing `x` again drops the chosen notification.
    private(set) var isArmed = false
    /// The error of the last query, or `nil` if it succeeded.
    var failure: Failure?
    /// The error of the last change, which is shown until a key is pressed.
    var changeFailure: Failure?

    var chosen: Row? { rows.indices.contains(index) ? rows[index] : nil }

    mutating func show(_ new: InspectorSnapshot.Stored) {
        let old = chosen
        stored = new
        failure = nil
        rows = new.outboxes.flatMap { outbox in outbox.entries.map { Row(outbox: outbox.name, entry: $0) } }
        let isOld = { (row: Row) in
            row.entry.id == old?.entry.id && row.entry.observer == old?.entry.observer && row.outbox == old?.outbox
        }
        index = rows.firstIndex(where: isOld) ?? min(index, max(0, rows.count - 1))
        if chosen != old { isArmed = false }
    }

    mutating func press(_ key: UInt8) -> StoredWish? {
        let wasArmed = isArmed
        isArmed = false
        changeFailure = nil
        switch key {
        case UInt8(ascii: "j"): index = min(index + 1, max(0, rows.count - 1))
        case UInt8(ascii: "k"): index = max(index - 1, 0)
        case UInt8(ascii: "s"): return change(.redrive)
        case UInt8(ascii: "x"):
            if wasArmed { return change(.drop) }
            isArmed = change(.drop) != nil
        default: break
        }
        return nil
    }

    private func change(_ action: InspectorSnapshot.StoredChange.Action) -> StoredWish? {
        guard stored?.mayChange == true, let row = chosen else { return nil }
        guard row.entry.kind != .waiting || action == .drop && row.entry.isHeld else { return nil }
        return StoredWish(outbox: row.outbox, action: action, entry: row.entry)
    }

    func lines(at time: Double, width: Int, height: Int?) -> [(text: String, isChosen: Bool)] {
        var lines = [failure, changeFailure].compactMap(\.self).map { failure in
            (text: failure.description.forTerminal.fitted(to: width), isChosen: false)
        }
        let outboxes = stored?.outboxes ?? []
        for outbox in outboxes {
            let counts = outbox.observers.map { observer in
                "\(observer.name.forTerminal): \(observer.backlog) behind, \(observer.retried) retried, \(observer.deadLetters) dead"
            }
            lines.append((([outbox.name.forTerminal] + counts).joined(separator: "   ").fitted(to: width), false))
            if let error = outbox.error {
                lines.append(("  the store does not answer: \(error.forTerminal)".fitted(to: width), false))
            }
            if let last = outbox.lastChange {
                let done = last.action == .drop ? "dropped" : "redelivered"
                let text =
                    last.error.map { "it failed: \($0.forTerminal)" } ?? last.count.map { "\($0) \(done)" } ?? "…"
                lines.append(("  \(text)".fitted(to: width), false))
            }
        }
        if stored != nil, outboxes.isEmpty { lines.append(("no outbox is inspected", false)) }
        let table = Table(rows, Self.columns(at: time), width: width - 2)
        lines.append(("  " + table.head, false))
        let room = height.map { max(1, $0 - lines.count) } ?? .max
        let first = max(0, min(index - room / 2, rows.count - room))
        for (number, text) in table.rows.enumerated().dropFirst(first).prefix(room) {
            lines.append(((number == index ? "> " : "  ") + text, number == index))
        }
        return lines
    }

    var keys: String {
        if isArmed { return "x again drops it for good" }
        var keys = [stored?.mayChange == true ? "j k choose" : "no changes allowed"]
        if change(.redrive) != nil { keys.append("s redeliver") }
        if change(.drop) != nil { keys.append("x drop") }
        return (keys + ["o back", "h hold", "q quit"]).joined(separator: "  ")
    }

    private static func columns(at time: Double) -> [Column<Row>] {
        [
            .text("KIND", from: 50) { $0.entry.kind == .deadLetter ? "dead" : $0.entry.kind.rawValue },
            .text("NOTIFICATION") { $0.entry.notification },
            .text("OBSERVER", from: 60) { $0.entry.observer },
            .text("IDENTITY", from: 120, rank: 2) { $0.entry.id },
            .number("ATTEMPTS", from: 80) { $0.entry.attempts == 0 ? nil : short($0.entry.attempts) },
            .number("AGE", from: 70) { short(seconds: max(0, time - $0.entry.stored)) },
            .number("DUE IN", from: 90) { row in row.entry.due.map { short(seconds: max(0, $0 - time)) } },
            .text("ERROR", from: 90, rank: 1) { $0.entry.error },
        ]
    }
}
