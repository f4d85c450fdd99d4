import Foundation

/// Compares the servers' copies of replicated streams, which are read from the servers' files.
///
/// In nats-server 2.9, each server decides on its own whether a full stream rejects a message. If the limit of the
/// stream changes at that time, one server may store messages that another server rejects. All later messages then have
/// different sequence numbers on the two servers (nats-server pull requests 4365 and 7607). When the leader of a
/// consumer moves to the other server, the consumer skips or repeats messages. No program can prevent or notice this.
struct SoakCopies {
    /// The notifications that don't have the same sequence number on all servers.
    private(set) var differing: Set<String> = []

    /// `folder` contains a folder for each server.
    init(of folder: URL) {
        for stream in SoakRoutes.streams {
            let copies = (0..<3).map { server in
                Self.sequences(in: folder.appending(path: "store-\(server)/jetstream/$G/streams/\(stream)/msgs"))
            }
            for note in Set(copies.flatMap(\.keys)) where Set(copies.map { $0[note] }).count > 1 {
                differing.insert(note)
            }
        }
    }

    private static func sequences(in folder: URL) -> [String: Set<UInt64>] {
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        var sequences: [String: Set<UInt64>] = [:]
        for file in files where file.pathExtension == "blk" {
            guard let block = try? Data(contentsOf: file) else { continue }
            for (sequence, note) in messages(of: [UInt8](block)) { sequences[note, default: []].insert(sequence) }
        }
        return sequences
    }

    /// Returns the messages of a server's file. A message consists of its length (with the highest bit set if there are
    /// headers), sequence number, time, length of the subject, subject, length of the headers, headers, body and
    /// checksum.
    static func messages(of block: [UInt8]) -> [(sequence: UInt64, note: String)] {
        func number(_ place: Int, _ bytes: Int) -> UInt64 {
            block[place..<(place + bytes)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        var (messages, place) = ([(UInt64, String)](), 0)
        while place + 26 <= block.count {
            let length = number(place, 4)
            let end = place + Int(length & 0x7FFF_FFFF)
            guard end > place + 26, end <= block.count else { break }
            let sequence = number(place + 4, 8)
            let headers = place + 22 + Int(number(place + 20, 2))
            // The two highest bits of the sequence number mark a message that is removed.
            if length >> 31 == 1, sequence >> 62 == 0, headers + 4 <= end,
                let note = note(in: block[(headers + 4)..<min(end, headers + 4 + Int(number(headers, 4)))])
            {
                messages.append((sequence, note))
            }
            place = end
        }
        return messages
    }

    /// Returns the identity of a message without its prefix, which is the program's name.
    private static func note(in headers: ArraySlice<UInt8>) -> String? {
        let lines = String(decoding: headers, as: UTF8.self).split(separator: "\r\n")
        let line = lines.first { $0.lowercased().hasPrefix("nats-msg-id:") }
        guard let id = line?.dropFirst("nats-msg-id:".count).drop(while: { $0 == " " }),
            let point = id.firstIndex(of: ".")
        else { return nil }
        return String(id[id.index(after: point)...])
    }
}
