import Foundation

/// Runs a soak, a long test under load. The main thread starts all processes, because the system kills a process when
/// the thread that started it ends.
@main struct RelaySoak {
    static let usage = "usage: RelaySoak [run MINUTES | check FOLDER]"

    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch arguments.first {
        case "run" where arguments.count == 2: try run(minutes: Double(arguments[1]) ?? 1)
        case "check" where arguments.count == 2:
            var record = try SoakRecord(folder: URL(filePath: arguments[1]))
            record.differing = SoakCopies(of: URL(filePath: arguments[1])).differing
            judge(record, patience: 5)
        case "program" where arguments.count > 6:
            let program = try SoakProgram(
                arguments[1], life: arguments[2], folder: URL(filePath: arguments[3]),
                patience: Double(arguments[4]) ?? 5, addresses: Array(arguments[6...]))
            Task {
                do { try await program.run(pause: .milliseconds(Int(arguments[5]) ?? 100)) } catch {
                    FileHandle.standardError.write(Data("\(error)\n".utf8))
                    exit(1)
                }
                exit(0)
            }
            dispatchMain()
        default:
            print(usage)
            exit(2)
        }
    }

    private static func run(minutes: Double) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "relay-soak-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        print("ledgers and logs: \(folder.path(percentEncoded: false))")
        // Without this call, the line would be lost if this process were killed.
        fflush(nil)
        let (record, check) = try Soak(Soak.Options(minutes: minutes), folder: folder).run()
        print(SoakTable(record: record, check: check))
        if !check.findings.isEmpty { exit(1) }
        try FileManager.default.removeItem(at: folder)
    }

    private static func judge(_ record: SoakRecord, patience: Double) {
        var check = SoakCheck(readings: SoakRoutes.readings, ordered: SoakRoutes.ordered, patience: patience)
        check.look(at: record)
        print(SoakTable(record: record, check: check))
        if !check.findings.isEmpty { exit(1) }
    }
}
