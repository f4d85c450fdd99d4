import Foundation
import Tidings
import TidingsOutbox

/// Another process of this program, with a durable observer. The benchmark kills or stops it, and measures the time
/// until another replica takes over.
final class Replica: Sendable {
    private let process = Process()
    private let path = NSTemporaryDirectory() + "replica-" + UUID().uuidString

    private init(_ parameters: String) throws {
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["replica", parameters]
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        process.standardOutput = FileHandle(forWritingAtPath: path)
        try process.run()
    }

    deinit {
        kill(process.processIdentifier, SIGKILL)
        try? FileManager.default.removeItem(atPath: path)
    }

    private func has(_ line: String) -> Bool {
        ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n").contains { $0 == line }
    }

    private actor Observer {}

    /// Runs in the other process, and prints the numbers of the notifications that it handles.
    static func run() async throws -> Never {
        @Sendable func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
        let outbox = try await NotificationOutbox(
            in: LibpqConnector(CommandLine.arguments[2]), of: NativeNotificationCenter())
        let observer = Observer()
        outbox.addObserver(observer, named: "replica", on: .actor, for: OutboxBenchmark.Placed.self) { _, note in
            say("\(note.order)")
        }
        while outbox.runningObservers.first.map({ $0.state == .starting }) ?? true {
            try await Task.sleep(for: .milliseconds(5))
        }
        say("ready")
        while true { try await Task.sleep(for: .seconds(3600)) }
    }

    static func measure(_ parameters: String) async throws {
        let outbox = try await NotificationOutbox(in: LibpqConnector(parameters), of: NativeNotificationCenter())
        let connection = try await LibpqConnector(parameters).open()
        var number = 0
        let times = Bar.isShort ? 1 : 3
        for (signal, words, bar, goal) in [(SIGKILL, "killed", 5.0, 1.0), (SIGSTOP, "stopped", 15.0, 5.0)] {
            var longest = 0.0
            for _ in 0..<times {
                let first = try Replica(parameters)
                while !first.has("ready") { try await Task.sleep(for: .milliseconds(5)) }
                let second = try Replica(parameters)
                while !second.has("ready") { try await Task.sleep(for: .milliseconds(5)) }
                number += 1
                let number = number
                kill(first.process.processIdentifier, signal)
                let began = ContinuousClock.now
                try await connection.transaction { try await outbox.post(OutboxBenchmark.Placed(number), in: $0) }
                while !second.has("\(number)") { try await Task.sleep(for: .milliseconds(2)) }
                longest = max(longest, began.duration(to: .now) / .seconds(1))
            }
            Bar.report(
                "PostgreSQL: a replica that was \(words) is replaced, seconds, the maximum of \(times)", longest,
                .atMost(bar), towards: .atMost(goal))
        }
        await connection.close()
        await outbox.finish(within: .seconds(5))
    }
}
