import Foundation
import Testing

@testable import RelaySoak

/// Tests that the check after a soak test finds planted errors, and accepts duplicates only if a trouble, such as a
/// killed program, explains them.
@Suite(.timeLimit(.minutes(2))) struct SoakCheckTests {
    typealias Run = SoakRecord.Run

    /// Ten notifications of one key. Two workers take turns to run them, and each notification runs once.
    private static let good: SoakRecord = {
        var record = SoakRecord()
        for number in 1...10 {
            record.postings["due-\(number)"] = .init(name: "due", intended: Double(number), isStored: true)
            record.runs.append(run(number, by: number % 2 == 0 ? "worker-1.1" : "worker-2.1", at: Double(number)))
        }
        return record
    }()

    private static func run(_ number: Int, by process: String, at time: Double, deliveryCount: Int = 1) -> Run {
        Run(
            process: process, reading: "printers", note: "due-\(number)", key: "a", number: number,
            deliveryCount: deliveryCount, sequence: number, begun: time, ended: time + 0.5)
    }

    private func check(_ change: (inout SoakRecord) -> Void) -> SoakCheck {
        var record = Self.good
        change(&record)
        var check = SoakCheck(readings: ["printers": "due"], ordered: ["printers"], patience: 5)
        check.look(at: record)
        return check
    }

    @Test func `the check finds nothing in a record without errors`() {
        let check = check { _ in }
        #expect(check.findings == [] && check.runs == 10 && check.explained == [:] && check.longestPause == 1)
    }

    @Test func `a notification without a completed run counts as lost if it is known to be stored`() {
        #expect(check { $0.runs.remove(at: 4) }.findings == ["printers has lost due-5"])
        #expect(check { $0.runs[9].ended = nil }.findings == ["printers has lost due-10"])
        let unsure = check {
            $0.runs.remove(at: 9)
            $0.postings["due-10"]?.isStored = false
        }
        #expect(unsure.findings == [])
        #expect(check { $0.postings["due-5"] = nil }.findings == ["printers has run due-5, which nobody has posted"])
    }

    @Test(arguments: [nil] + SoakRecord.Trouble.Kind.allCases)
    func `a duplicate is reported unless a trouble of either run's program or of a server explains it`(
        kind: SoakRecord.Trouble.Kind?
    ) {
        for subject in ["worker-1.1", "worker-2.1"] {
            let check = check {
                // The last notification runs again. Its first run was on worker 1, and ended just before the trouble
                // began.
                $0.runs.append(Self.run(10, by: "worker-2.1", at: 18, deliveryCount: 2))
                if let kind { $0.troubles = [.init(kind: kind, subject: subject, begun: 10.6, ended: 16)] }
            }
            let isOwn =
                switch kind {
                case .kill: subject == "worker-1.1"
                case .stop, .leader: true
                case .full, .upgrade, nil: false
                }
            #expect(check.findings.isEmpty == isOwn, "\(check.findings)")
            #expect(check.explained == (isOwn ? [kind ?? .kill: 1] : [:]))
        }
    }

    @Test func `a kill doesn't explain a duplicate of a much earlier run, or of another program's run`() {
        func findings(_ time: Double, _ subject: String) -> [String] {
            check {
                $0.runs.append(Self.run(10, by: "worker-2.1", at: 30, deliveryCount: 2))
                $0.troubles = [.init(kind: .kill, subject: subject, begun: time, ended: time + 1)]
            }.findings
        }
        #expect(findings(10.2, "worker-1.1") == [] && findings(12, "worker-1.1") == [])
        #expect(findings(13, "worker-1.1").count == 1 && findings(10.2, "worker-1.2").count == 1)
    }

    @Test(arguments: [SoakRecord.Trouble.Kind.kill, .stop, .leader])
    func `no trouble explains a duplicate that begins long afterwards`(kind: SoakRecord.Trouble.Kind) {
        func findings(_ time: Double) -> Int {
            check {
                $0.runs.append(Self.run(10, by: "worker-1.1", at: time, deliveryCount: 2))
                $0.troubles = [.init(kind: kind, subject: "worker-1.1", begun: 10.2, ended: 16)]
            }.findings.count
        }
        #expect(findings(18) == 0 && findings(16 + SoakCheck.late + 1) == 1)
    }

    @Test(arguments: [1, 2])
    func `a lost leader explains the duplicate of an old run only if the duplicate is marked as redelivered`(count: Int)
    {
        let check = check {
            $0.runs.append(Self.run(10, by: "worker-2.1", at: 246, deliveryCount: count))
            $0.troubles = [.init(kind: .leader, subject: "s1", begun: 240, ended: 251)]
        }
        #expect(check.findings.count == (count == 1 ? 1 : 0) && check.explained == (count == 1 ? [:] : [.leader: 1]))
    }

    @Test(arguments: [nil, "loss", "late duplicate", "broken order"] as [String?])
    func `the check program fails if an error is planted`(planted: String?) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "soak-check-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var shop = ""
        var worker = ""
        for number in 1...3 {
            shop += "intend soak.due due-\(number) \(number)\nstored soak.due due-\(number) \(number).1\n"
            if planted == "loss", number == 2 { continue }
            let begun = planted == "broken order" && number == 2 ? 5.0 : Double(number) + 0.2
            worker += "begin printers due-\(number) a \(number) 1 \(number) \(begun)\n"
            worker += "end printers due-\(number) \(begun + 0.1)\n"
        }
        if planted == "late duplicate" {
            worker += "begin printers due-3 a 3 2 3 244\nend printers due-3 244.1\n"
            try "trouble stop worker-1.1 3.0 20\n"
                .write(to: folder.appending(path: "soak.ledger"), atomically: true, encoding: .utf8)
        }
        try shop.write(to: folder.appending(path: "shop-1.1.ledger"), atomically: true, encoding: .utf8)
        try worker.write(to: folder.appending(path: "worker-1.1.ledger"), atomically: true, encoding: .utf8)
        let process = Process()
        process.executableURL = Bundle.main.bundleURL.appending(path: "RelaySoak")
        process.arguments = ["check", folder.path(percentEncoded: false)]
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == (planted == nil ? 0 : 1))
    }

    @Test func `after a kill, a duplicate is reported if it is stored twice, or not marked as redelivered`() {
        for (count, sequence) in [(1, 10), (2, 11)] {
            let check = check {
                $0.runs.append(Self.run(10, by: "worker-2.1", at: 18, deliveryCount: count))
                $0.runs[10].sequence = sequence
                $0.troubles = [.init(kind: .kill, subject: "worker-1.1", begun: 10.6, ended: 10.6)]
            }
            #expect(check.findings.count == 1, "\(check.findings)")
        }
    }

    @Test func `a notification that is stored twice is reported unless a fault names it`() {
        func check(_ kind: String, _ note: String?) -> SoakCheck {
            self.check {
                $0.runs.append(Self.run(5, by: "worker-2.1", at: 18))
                $0.runs[10].sequence = 11
                $0.faults = [.init(kind: kind, note: note, count: 1, time: 17)]
            }
        }
        let named = check("storedAgain", "due-5")
        #expect(named.findings == [] && named.storedAgain == 1, "\(named.findings)")
        for (kind, note) in [("storedAgain", "due-6"), ("storedAgain", nil), ("connectionLost", "due-5")] {
            let other = check(kind, note)
            #expect(other.findings.contains("printers: the stream has due-5 twice, 5 and 11"))
            #expect(other.storedAgain == 0)
        }
        // Both runs are of the same stored copy, so a second copy in the stream doesn't explain the second run.
        let same = self.check {
            $0.runs.append(Self.run(10, by: "worker-2.1", at: 18))
            $0.faults = [.init(kind: "storedAgain", note: "due-10", count: 1, time: 17)]
        }
        #expect(same.findings.count == 1 && same.storedAgain == 0)
    }

    @Test func `a loss or a duplicate isn't a violation if the servers' copies of the notification differ`() {
        for differing in [["due-5"], ["due-6"]] as [Set<String>] {
            let lost = check {
                $0.runs.remove(at: 4)
                $0.differing = differing
            }
            #expect(lost.findings == (differing == ["due-5"] ? [] : ["printers has lost due-5"]))
            #expect(lost.differing == (differing == ["due-5"] ? 1 : 0))
        }
        for differing in [[], ["due-10"]] as [Set<String>] {
            let twice = check {
                $0.runs.append(Self.run(10, by: "worker-2.1", at: 18))
                $0.differing = differing
            }
            #expect(twice.findings.count == 1 - differing.count && twice.differing == differing.count)
        }
    }

    @Test func `a stream's copies are read from the storage files of the servers, and compared`() throws {
        func bytes(_ number: UInt64, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(number >> ($0 * 8) & 0xFF) } }
        func message(_ sequence: UInt64, _ id: String?) -> [UInt8] {
            let headers = id.map { Array("NATS/1.0\r\nce-id: x\r\nNats-Msg-Id: \($0)\r\n\r\n".utf8) }
            let subject = Array("tidings.soak.due".utf8)
            let rest =
                subject + (headers.map { bytes(UInt64($0.count), 4) + $0 } ?? []) + Array("body".utf8) + bytes(0, 8)
            let length = UInt64(22 + rest.count) | (headers == nil ? 0 : 1 << 31)
            return bytes(length, 4) + bytes(sequence, 8) + bytes(99, 8) + bytes(UInt64(subject.count), 2) + rest
        }
        let removed: UInt64 = 1 << 63 | 3
        let block =
            message(1, "shop.due-1") + message(2, nil) + message(removed, "shop.due-3") + message(4, "shop.due-4")
        let read = SoakCopies.messages(of: block)
        #expect(read.map(\.sequence) == [1, 4] && read.map(\.note) == ["due-1", "due-4"])
        // A server that is still writing has an incomplete message at the end.
        #expect(SoakCopies.messages(of: Array(block.dropLast(20))).map(\.sequence) == [1])

        let folder = FileManager.default.temporaryDirectory.appending(path: "copies-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        for (server, last) in [(0, message(5, "shop.due-5")), (1, message(6, "shop.due-5")), (2, [])] {
            let path = folder.appending(path: "store-\(server)/jetstream/$G/streams/DUES/msgs")
            try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
            try Data(block + last).write(to: path.appending(path: "1.blk"))
        }
        #expect(SoakCopies(of: folder).differing == ["due-5"])
    }

    @Test func `the last notification before an upgrade may run twice if an earlier one was redelivered`() {
        func check(_ change: (inout SoakRecord) -> Void = { _ in }) -> [String] {
            self.check {
                // The ninth notification runs only after the upgrade, because the old release can't read it.
                $0.runs[8] = Self.run(9, by: "worker-2.2", at: 15, deliveryCount: 3)
                $0.runs[8].key = "b"
                $0.runs.append(Self.run(10, by: "worker-2.2", at: 16))
                $0.troubles = [.init(kind: .upgrade, subject: "2", begun: 10.2, ended: 12)]
                change(&$0)
            }.findings
        }
        #expect(check() == [])
        #expect(check { $0.runs[8].deliveryCount = 1 }.count == 1)
        #expect(check { $0.runs[10].deliveryCount = 2 }.count == 1)
        #expect(check { $0.runs[10].process = "worker-1.1" }.count == 1)
        #expect(check { $0.troubles[0].kind = .full }.count == 1)
        // A later notification was delivered before the duplicate.
        let later = check {
            $0.postings["due-11"] = .init(name: "due", intended: 10.7, isStored: true)
            $0.runs.append(Self.run(11, by: "worker-1.1", at: 10.8))
        }
        #expect(later.contains { $0.hasPrefix("printers has run due-10 twice") })
    }

    @Test func `a dead letter is accepted if it was handled before two upgrades and the loss of a leader`() {
        func check(_ note: String?, _ change: (inout SoakRecord) -> Void = { _ in }) -> SoakCheck {
            self.check {
                $0.faults = [.init(kind: "deadLetter", note: note, count: 1, time: 500)]
                $0.troubles = [20.0, 40].map { .init(kind: .upgrade, subject: "2", begun: $0, ended: $0 + 1) }
                $0.troubles.append(.init(kind: .leader, subject: "s1", begun: 50, ended: 60))
                change(&$0)
            }
        }
        let old = check("due-5")
        #expect(old.findings == [] && old.oldLetters == 1)
        #expect(check(nil).findings == ["1 faults of the kind deadLetter"])
        #expect(check("due-99").findings == ["1 faults of the kind deadLetter of due-99"])
        #expect(check("due-5") { $0.runs.remove(at: 4) }.findings.count == 2)
        #expect(check("due-5") { $0.troubles[2].begun = 3 }.findings.count == 1)
        #expect(check("due-5") { $0.troubles[2].begun = 501 }.findings.count == 1)
        #expect(check("due-5") { $0.troubles.removeFirst() }.findings.count == 1)
    }

    @Test func `a run that begins before the previous run of its key has ended is reported`() {
        let swapped = check { ($0.runs[3].begun, $0.runs[4].begun) = ($0.runs[4].begun, $0.runs[3].begun) }
        #expect(swapped.findings.contains("printers has begun a 5 before 4 had ended"))
        let overlapping = check { $0.runs[3].ended = 5.1 }
        #expect(overlapping.findings == ["printers has begun a 5 before 4 had ended"])
        // The loss of a program explains why a notification is repeated, but not why it runs after later notifications.
        let late = check {
            $0.runs.append(Self.run(9, by: "worker-1.1", at: 12, deliveryCount: 2))
            $0.troubles = [.init(kind: .kill, subject: "worker-2.1", begun: 9.2, ended: 9.2)]
        }
        #expect(late.findings.count == 1 && late.findings[0].hasPrefix("printers has run a 9 after 10"))
    }

    @Test func `the lines that programs write are read, and invalid lines are reported`() {
        var record = SoakRecord()
        record.read(
            "intend due due-1 1.5\nstored due due-1 2\nintend due due-2 3\nfault connectionLost - 3 4\n", of: "shop-1.1"
        )
        record.read("fault storedAgain shop.due-1 1 4.5\n", of: "shop-1.1")
        record.read("begin printers due-1 a 1 2 7 5\nend printers due-1 6\nbegin printers due-2 a 2 1 8 7\n", of: "w.1")
        record.read("trouble kill w.1 7.5 8\n", of: "soak")
        #expect(record.errors == [] && record.faults.map(\.count) == [3, 1] && record.storedAgain == ["due-1"])
        #expect(record.postings["due-1"]?.isStored == true && record.postings["due-2"]?.isStored == false)
        #expect(
            record.runs.map(\.ended) == [6, nil] && record.runs[0].sequence == 7 && record.runs[0].deliveryCount == 2)
        #expect(record.troubles.map(\.begun) == [7.5] && record.troubles.map(\.ended) == [8])
        record.read("begin printers\nend printers due-9 6\nerror due-9 refused 7\n", of: "w.2")
        #expect(record.errors.count == 3)
    }
}
