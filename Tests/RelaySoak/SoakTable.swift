struct SoakTable: CustomStringConvertible {
    let record: SoakRecord
    let check: SoakCheck

    var description: String {
        var rows: [(String, String)] = []
        for kind in SoakRecord.Trouble.Kind.allCases {
            let all = record.troubles.filter { $0.kind == kind }
            let words = Dictionary(grouping: all, by: \.subject).map {
                "\($0.key)\($0.value.count > 1 ? " x\($0.value.count)" : "")"
            }
            rows.append((kind.rawValue, "\(all.count): \(words.sorted().joined(separator: ", "))"))
        }
        for name in Set(check.readings.values).sorted() {
            let stored = record.postings.values.count { $0.name == name && $0.isStored }
            let all = record.postings.values.count { $0.name == name }
            rows.append((name, "\(stored) stored" + (all > stored ? ", and \(all - stored) may be stored" : "")))
        }
        for reading in check.readings.keys.sorted() {
            let runs = record.runs.filter { $0.reading == reading }
            rows.append((reading, "\(runs.count) runs of \(Set(runs.map(\.note)).count) notifications"))
        }
        for kind in SoakRecord.Trouble.Kind.allCases {
            guard let count = check.explained[kind] else { continue }
            rows.append(("duplicates due to \(kind.rawValue)", "\(count)"))
        }
        if check.storedAgain > 0 { rows.append(("duplicates of notifications stored again", "\(check.storedAgain)")) }
        if !record.differing.isEmpty {
            rows.append(
                ("copies of streams differ", "\(record.differing.count), \(check.differing) lost or repeated"))
        }
        if check.oldLetters > 0 { rows.append(("dead letters due to lost acknowledgements", "\(check.oldLetters)")) }
        rows.append(("longest pause", seconds(check.longestPause)))
        rows.append(("longest wait", seconds(check.longestWait)))
        let faults = Dictionary(record.faults.map { ($0.kind, $0.count) }, uniquingKeysWith: +)
        rows.append(
            ("faults", faults.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")))
        rows.append(("findings", "\(check.findings.count)"))
        let width = rows.map(\.0.count).max() ?? 0
        let table = rows.map { "| \($0.0)\(String(repeating: " ", count: width - $0.0.count)) | \($0.1) |" }
        return (table + check.findings.prefix(50).map { "wrong: \($0)" }).joined(separator: "\n")
    }

    private func seconds(_ value: Double) -> String { "\((value * 10).rounded() / 10) s" }
}
