import Foundation

struct SoakRecord: Sendable {
    struct Run: Sendable {
        var process: String
        /// The reader that must receive the notification once: a group, a program, or a replica.
        var reading: String
        var note: String
        var key: String
        var number: Int
        var deliveryCount: Int
        var sequence: Int
        var begun: Double
        /// `nil` if the call didn't finish.
        var ended: Double?
    }

    struct Trouble: Sendable {
        enum Kind: String, CaseIterable, Sendable { case kill, stop, leader, full, upgrade }
        var kind: Kind
        /// The affected process, server, stream or release.
        var subject: String
        var begun: Double
        var ended: Double
    }

    struct Posting: Sendable {
        var name: String
        var intended: Double
        /// Whether the program has learned that the stream stored the notification.
        var isStored = false
    }

    struct Fault: Sendable {
        var kind: String
        /// The identity of the notification, or `nil` if the fault isn't about a notification.
        var note: String?
        var count: Int
        var time: Double
    }

    var runs: [Run] = []
    var troubles: [Trouble] = []
    /// The posted notifications, by identity.
    var postings: [String: Posting] = [:]
    var faults: [Fault] = []
    /// Descriptions of impossible or forbidden events.
    var errors: [String] = []
    /// The notifications whose sequence numbers differ between the servers: see ``SoakCopies/differing``.
    var differing: Set<String> = []

    init() {}

    /// The notifications that were stored again because their stream had lost them.
    var storedAgain: Set<String> { Set(faults.filter { $0.kind == "storedAgain" }.compactMap(\.note)) }

    /// Reads the ledgers in a folder, or only the ledgers of `program` if it isn't `nil`.
    init(folder: URL, of program: String? = nil) throws {
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        for file in files.filter({ $0.pathExtension == "ledger" }).sorted(by: { $0.path < $1.path }) {
            let process = file.deletingPathExtension().lastPathComponent
            if let program, !process.hasPrefix(program + ".") { continue }
            read(try String(contentsOf: file, encoding: .utf8), of: process)
        }
    }

    mutating func read(_ text: String, of process: String) {
        var begun: [String: Int] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            guard let time = words.last.flatMap({ Double($0) }) else {
                errors.append("\(process): invalid line: \(line)")
                continue
            }
            switch (words[0], words.count) {
            case ("intend", 4):
                postings[words[2], default: Posting(name: words[1], intended: time)].intended.takeLeast(time)
            case ("stored", 4):
                postings[words[2], default: Posting(name: words[1], intended: time)].isStored = true
            case ("begin", 8):
                begun["\(words[1]) \(words[2])"] = runs.count
                runs.append(
                    Run(
                        process: process, reading: words[1], note: words[2], key: words[3], number: Int(words[4]) ?? 0,
                        deliveryCount: Int(words[5]) ?? 0, sequence: Int(words[6]) ?? 0, begun: time, ended: nil))
            case ("end", 4):
                guard let index = begun["\(words[1]) \(words[2])"] else {
                    errors.append("\(process): the end of a run without its beginning: \(line)")
                    continue
                }
                runs[index].ended = time
            case ("fault", 5):
                // The identity of a message starts with the name of the program.
                let prefix = process.prefix { $0 != "-" } + "."
                let note = words[2].hasPrefix(prefix) ? String(words[2].dropFirst(prefix.count)) : words[2]
                faults.append(
                    Fault(kind: words[1], note: note == "-" ? nil : note, count: Int(words[3]) ?? 1, time: time))
            case ("error", _): errors.append("\(process): \(words.dropFirst().dropLast().joined(separator: " "))")
            case ("trouble", 5):
                guard let kind = Trouble.Kind(rawValue: words[1]), let begun = Double(words[3]) else { continue }
                troubles.append(Trouble(kind: kind, subject: words[2], begun: begun, ended: time))
            default: errors.append("\(process): invalid line: \(line)")
            }
        }
    }
}

extension Double {
    fileprivate mutating func takeLeast(_ other: Double) { self = Swift.min(self, other) }
}
