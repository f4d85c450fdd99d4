/// Checks the result of a soak: nothing is lost, only troubles cause repetitions, and the order of each key is kept.
struct SoakCheck: Sendable {
    /// The time after an observer's call during which killing the program may lose the acknowledgement, in seconds.
    static let lastWords = 2.0

    /// The maximum time from the end of a trouble to a repeated call caused by the trouble, in seconds. Before the
    /// repeated call, the server waits for the acknowledgement, and may deliver other notifications.
    static let late = 60.0

    /// The maximum age of an acknowledgement, in seconds, if a new leader of a consumer lacks both the delivery and the
    /// acknowledgement. With nats-server 2.9, ages of up to ten seconds were observed. The limit doesn't apply if the
    /// leader lacks only the acknowledgement: ages of up to 220 seconds were observed, but the redelivery then has a
    /// delivery count above 1.
    static let forgotten = 20.0

    /// For each reader, the wire name of the notifications that it must receive.
    let readings: [String: String]
    let ordered: Set<String>

    /// The time after which the server redelivers an unacknowledged message, in seconds.
    let patience: Double

    private(set) var findings: [String] = []
    private(set) var runs = 0
    /// The number of duplicates that each kind of trouble explains.
    private(set) var explained: [SoakRecord.Trouble.Kind: Int] = [:]
    /// The number of duplicates of notifications that were stored again.
    private(set) var storedAgain = 0
    /// The number of losses and duplicates of notifications in `SoakRecord.differing`.
    private(set) var differing = 0
    /// The number of dead letters whose notifications had been handled before a leader was lost.
    private(set) var oldLetters = 0
    /// The longest time between the beginnings of two consecutive runs (calls of observers), in seconds.
    private(set) var longestPause = 0.0
    /// The longest time from a post to the end of its run, in seconds.
    private(set) var longestWait = 0.0

    init(readings: [String: String], ordered: Set<String>, patience: Double) {
        self.readings = readings
        self.ordered = ordered
        self.patience = patience
    }

    mutating func look(at record: SoakRecord) {
        findings += record.errors
        findFaults(record)
        runs = record.runs.count
        let runs = Dictionary(grouping: record.runs.sorted { $0.begun < $1.begun }, by: \.reading)
        for (reading, name) in readings.sorted(by: { $0.key < $1.key }) {
            let own = runs[reading] ?? []
            let byNote = Dictionary(grouping: own, by: \.note)
            findLost(reading, name, byNote, record)
            findDoubles(reading, byNote, record)
            if ordered.contains(reading) { findBreaks(reading, own, record) }
        }
        for reading in runs.keys where readings[reading] == nil { findings.append("the reader \(reading) is unknown") }
        let begun = record.runs.map(\.begun).sorted()
        longestPause = zip(begun, begun.dropFirst()).map { $1 - $0 }.max() ?? 0
    }

    private mutating func findFaults(_ record: SoakRecord) {
        var forbidden: [String: Int] = [:]
        for fault in record.faults
        where ["deadLetter", "programLost", "sendBufferFull", "stopped"].contains(fault.kind) {
            if isOldLetter(fault, record) {
                oldLetters += 1
            } else {
                forbidden["\(fault.kind)\(fault.note.map { " of \($0)" } ?? "")", default: 0] += fault.count
            }
        }
        findings += forbidden.map { "\($0.value) faults of the kind \($0.key)" }.sorted()
    }

    /// Whether the dead letter is a notification that had been handled. A new leader may lack the acknowledgement,
    /// however old it is, and redeliver the notification. After two upgrades of all programs, no program can read the
    /// notification.
    private func isOldLetter(_ fault: SoakRecord.Fault, _ record: SoakRecord) -> Bool {
        guard fault.kind == "deadLetter", let note = fault.note, let name = record.postings[note]?.name else {
            return false
        }
        let ends = readings.filter { $0.value == name }.keys.map { reading in
            record.runs.filter { $0.reading == reading && $0.note == note }.compactMap(\.ended).min() ?? .infinity
        }
        guard let handled = ends.max() else { return false }
        let loss = record.troubles.first { $0.kind == .leader && $0.begun > handled && $0.begun < fault.time }
        let upgrades = record.troubles.filter { $0.kind == .upgrade && $0.ended > handled && $0.begun < fault.time }
        return loss != nil && upgrades.count > 1
    }

    private mutating func findLost(
        _ reading: String, _ name: String, _ runs: [String: [SoakRecord.Run]], _ record: SoakRecord
    ) {
        for (note, posting) in record.postings where posting.name == name {
            let end = runs[note]?.compactMap(\.ended).min()
            if posting.isStored, end == nil {
                find("\(reading) has lost \(note)", about: note, record)
            }
            if let end { longestWait = max(longestWait, end - posting.intended) }
        }
        for note in runs.keys where record.postings[note]?.name != name {
            findings.append("\(reading) has run \(note), which nobody has posted")
        }
    }

    private mutating func find(_ finding: String, about note: String, _ record: SoakRecord) {
        if record.differing.contains(note) { differing += 1 } else { findings.append(finding) }
    }

    private mutating func findDoubles(
        _ reading: String, _ runs: [String: [SoakRecord.Run]], _ record: SoakRecord
    ) {
        let lost = record.storedAgain
        let all = runs.values.joined()
        for (note, runs) in runs where runs.count > 1 {
            for (first, second) in zip(runs, runs.dropFirst()) {
                if first.sequence != second.sequence, lost.contains(note) {
                    storedAgain += 1
                } else if first.sequence != second.sequence {
                    find(
                        "\(reading): the stream has \(note) twice, \(first.sequence) and \(second.sequence)",
                        about: note,
                        record)
                } else if let trouble = record.troubles.first(where: { explains($0, first, second) }) {
                    explained[trouble.kind, default: 0] += 1
                    // After other troubles, the delivery count may be 1. A stopped program may run the first delivery
                    // after the redelivery, and a new leader may not know of the previous leader's delivery.
                    if second.deliveryCount < 2, trouble.kind == .kill {
                        findings.append("\(reading) has received \(note) again with delivery count 1: \(words(second))")
                    }
                } else if record.troubles.contains(where: { isStepBack($0, first, second, all) }) {
                    explained[.upgrade, default: 0] += 1
                } else {
                    find("\(reading) has run \(note) twice: \(words(first)), \(words(second))", about: note, record)
                }
            }
        }
    }

    private func explains(
        _ trouble: SoakRecord.Trouble, _ first: SoakRecord.Run, _ second: SoakRecord.Run
    ) -> Bool {
        if second.begun > trouble.ended + Self.late { return false }
        return switch trouble.kind {
        case .full, .upgrade: false
        case .kill:
            // The program was killed during the run, or before it sent the acknowledgement.
            first.process == trouble.subject && first.begun <= trouble.ended
                && trouble.begun - (first.ended ?? .infinity) < Self.lastWords
        case .stop:
            // The server redelivered because the program didn't answer. When that program continues, it may run
            // notifications that other programs have handled in the meantime.
            isDuring(trouble, first, subject: first.process) || isDuring(trouble, second, subject: second.process)
        case .leader:
            // The next leader redelivers messages whose acknowledgements only the previous leader had received.
            first.begun <= trouble.ended + patience && (first.ended ?? .infinity) >= trouble.begun - patience
                || second.begun >= trouble.begun && second.begun <= trouble.ended + 2 * patience
                    && ((first.ended ?? .infinity) >= trouble.begun - Self.forgotten || second.deliveryCount > 1)
        }
    }

    /// Whether an upgrade made the server redeliver the last notification from before the upgrade, with a delivery
    /// count of 1.
    ///
    /// If a redelivery was meant for a program that has just ended, nats-server before 2.10.14 moves the consumer back
    /// by one notification (nats-server pull request 5305).
    private func isStepBack(
        _ trouble: SoakRecord.Trouble, _ first: SoakRecord.Run, _ second: SoakRecord.Run,
        _ all: some Sequence<SoakRecord.Run>
    ) -> Bool {
        guard trouble.kind == .upgrade, let ended = first.ended, first.process != second.process,
            second.deliveryCount == 1, trouble.begun - Self.lastWords <= ended, first.begun <= trouble.ended,
            second.begun <= trouble.ended + Self.late
        else { return false }
        var hasRedelivery = false
        for run in all where run.begun <= second.begun {
            // Before the second run, the consumer must not have delivered later notifications.
            if run.sequence > first.sequence { return false }
            hasRedelivery = hasRedelivery || run.deliveryCount > 1 && run.begun >= first.begun
        }
        return hasRedelivery
    }

    private func isDuring(_ trouble: SoakRecord.Trouble, _ run: SoakRecord.Run, subject: String) -> Bool {
        subject == trouble.subject && trouble.ended - trouble.begun > patience / 2
            && run.begun <= trouble.ended + Self.lastWords && (run.ended ?? .infinity) >= trouble.begun - Self.lastWords
    }

    private mutating func findBreaks(_ reading: String, _ runs: [SoakRecord.Run], _ record: SoakRecord) {
        // Notifications that were stored again, or whose sequence numbers differ between the servers, may follow higher
        // numbers, so their order isn't checked.
        let lost = record.storedAgain.union(record.differing)
        for (key, runs) in Dictionary(grouping: runs.filter { !lost.contains($0.note) }, by: \.key) {
            // The earliest beginning and end of each number.
            var first: [Int: (begun: Double, ended: Double)] = [:]
            for run in runs {
                let known = first[run.number]
                first[run.number] = (known?.begun ?? run.begun, min(known?.ended ?? .infinity, run.ended ?? .infinity))
            }
            let numbers = first.sorted { $0.key < $1.key }
            for (one, next) in zip(numbers, numbers.dropFirst()) where next.value.begun < one.value.ended {
                findings.append("\(reading) has begun \(key) \(next.key) before \(one.key) had ended")
            }
            // Finds repetitions that follow a higher number.
            var last: SoakRecord.Run?
            for run in runs {
                if let last, run.number < last.number, first[run.number]?.begun != run.begun,
                    !record.troubles.contains(where: { $0.kind == .leader && explains($0, run, run) })
                {
                    findings.append("\(reading) has run \(key) \(run.number) after \(last.number): \(words(run))")
                }
                if run.number > last?.number ?? 0 { last = run }
            }
        }
    }

    private func words(_ run: SoakRecord.Run) -> String {
        "\(run.process) at \(run.begun) to \(run.ended.map { "\($0)" } ?? "never"), delivery \(run.deliveryCount)"
    }
}
