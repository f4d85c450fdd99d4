/// Counts what happened in a soak: that nothing was lost, that only what a trouble explains was run twice, and the order of each key.
struct SoakCheck: Sendable {
    /// For how long after observers have ended a kill may lose the acknowledgement, in seconds.
    static let lastWords = 2.0

    /// How long after a trouble has ended a second run may begin that it explains, in seconds: the server waits for the acknowledgement, and
    /// what was posted meanwhile may be in front.
    static let late = 60.0

    /// How old an acknowledgement may be that is lost with the leader of a consumer, in seconds: of nats-server 2.9, ten were seen.
    static let forgotten = 20.0

    /// Who has to get which notifications, by their names.
    let readings: [String: String]
    let ordered: Set<String>

    /// How long a server waits for an acknowledgement, in seconds.
    let patience: Double

    /// What was found wrong, in words.
    private(set) var findings: [String] = []
    private(set) var runs = 0
    /// How many doubles each kind of trouble explains.
    private(set) var explained: [SoakRecord.Trouble.Kind: Int] = [:]
    /// The longest time in which the groups ran nothing, in seconds.
    private(set) var longestPause = 0.0
    /// The longest time from a post to the end of its run, in seconds.
    private(set) var longestWait = 0.0

    init(readings: [String: String], ordered: Set<String>, patience: Double) {
        self.readings = readings
        self.ordered = ordered
        self.patience = patience
    }

    /// Looks at all that happened.
    mutating func look(at record: SoakRecord) {
        findings += record.errors
        findings += record.faults.filter {
            ["deadLetter", "programLost", "sendBufferFull", "stopped"].contains($0.key)
        }
        .map { "\($0.value) faults of the kind \($0.key)" }.sorted()
        runs = record.runs.count
        let runs = Dictionary(grouping: record.runs.sorted { $0.begun < $1.begun }, by: \.reading)
        for (reading, name) in readings.sorted(by: { $0.key < $1.key }) {
            let own = runs[reading] ?? []
            let byNote = Dictionary(grouping: own, by: \.note)
            findLost(reading, name, byNote, record)
            findDoubles(reading, byNote, record)
            if ordered.contains(reading) { findBreaks(reading, own, record) }
        }
        for reading in runs.keys where readings[reading] == nil { findings.append("nobody knows \(reading)") }
        let begun = record.runs.map(\.begun).sorted()
        longestPause = zip(begun, begun.dropFirst()).map { $1 - $0 }.max() ?? 0
    }

    private mutating func findLost(
        _ reading: String, _ name: String, _ runs: [String: [SoakRecord.Run]], _ record: SoakRecord
    ) {
        for (note, posting) in record.postings where posting.name == name {
            let end = runs[note]?.compactMap(\.ended).min()
            if posting.isStored, end == nil { findings.append("\(reading) has lost \(note)") }
            if let end { longestWait = max(longestWait, end - posting.intended) }
        }
        for note in runs.keys where record.postings[note]?.name != name {
            findings.append("\(reading) has run \(note), which nobody has posted")
        }
    }

    private mutating func findDoubles(
        _ reading: String, _ runs: [String: [SoakRecord.Run]], _ record: SoakRecord
    ) {
        for (note, runs) in runs where runs.count > 1 {
            for (first, second) in zip(runs, runs.dropFirst()) {
                if first.sequence != second.sequence {
                    findings.append(
                        "\(reading): the stream has \(note) twice, \(first.sequence) and \(second.sequence)")
                } else if let trouble = record.troubles.first(where: { explains($0, first, second) }) {
                    explained[trouble.kind, default: 0] += 1
                    // A program that was stopped had it first, and a leader may not have been told that the last one gave it out.
                    if second.deliveryCount < 2, trouble.kind == .kill {
                        findings.append("\(reading) was not told that \(note) came again: \(words(second))")
                    }
                } else {
                    findings.append("\(reading) has run \(note) twice: \(words(first)), \(words(second))")
                }
            }
        }
    }

    /// Whether a trouble is the reason that a notification was run a second time.
    private func explains(
        _ trouble: SoakRecord.Trouble, _ first: SoakRecord.Run, _ second: SoakRecord.Run
    ) -> Bool {
        if second.begun > trouble.ended + Self.late { return false }
        return switch trouble.kind {
        case .full, .upgrade: false
        case .kill:
            // It was lost in the middle, or before its acknowledgement had gone out.
            first.process == trouble.subject && first.begun <= trouble.ended
                && trouble.begun - (first.ended ?? .infinity) < Self.lastWords
        case .stop:
            // The server has waited for one that does not answer; when that one goes on, it has what others did meanwhile.
            isDuring(trouble, first, subject: first.process) || isDuring(trouble, second, subject: second.process)
        case .leader:
            // What the last leader was told, and the others were not, the next one gives out again.
            first.begun <= trouble.ended + patience && (first.ended ?? .infinity) >= trouble.begun - patience
                || second.begun >= trouble.begun && second.begun <= trouble.ended + 2 * patience
                    && (first.ended ?? .infinity) >= trouble.begun - Self.forgotten
        }
    }

    private func isDuring(_ trouble: SoakRecord.Trouble, _ run: SoakRecord.Run, subject: String) -> Bool {
        subject == trouble.subject && trouble.ended - trouble.begun > patience / 2
            && run.begun <= trouble.ended + Self.lastWords && (run.ended ?? .infinity) >= trouble.begun - Self.lastWords
    }

    /// Looks whether each number of a key was begun when the one before it had ended.
    private mutating func findBreaks(_ reading: String, _ runs: [SoakRecord.Run], _ record: SoakRecord) {
        for (key, runs) in Dictionary(grouping: runs, by: \.key) {
            // Each number by the first run that came to its end, and when it was begun first.
            var first: [Int: (begun: Double, ended: Double)] = [:]
            for run in runs {
                let known = first[run.number]
                first[run.number] = (known?.begun ?? run.begun, min(known?.ended ?? .infinity, run.ended ?? .infinity))
            }
            let numbers = first.sorted { $0.key < $1.key }
            for (one, next) in zip(numbers, numbers.dropFirst()) where next.value.begun < one.value.ended {
                findings.append("\(reading) has begun \(key) \(next.key) before \(one.key) had ended")
            }
            // What comes again after a later number.
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
