#if GRDB && Libpq
    import Foundation
    import TestSupport
    import Tidings

    /// A program of its own with a durable observer, so that it can be killed or stopped.
    final class OutboxProbe: Sendable {
        let name: String
        private let process = Process()
        /// What it writes: a file is read also while it is stopped, and keeps what it has written when it is killed.
        private let folder = TestFolder()

        init(_ name: String, _ database: String...) throws {
            self.name = name
            process.executableURL = Bundle.main.bundleURL.appending(path: "OutboxProbe")
            process.arguments = [name] + database
            let path = folder.path("output")
            _ = FileManager.default.createFile(atPath: path, contents: nil)
            process.standardOutput = FileHandle(forWritingAtPath: path)
            try process.run()
        }

        deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

        /// The calls that have begun, and whether each was marked as one that may come twice.
        var calls: [(number: Int, isMarked: Bool)] {
            lines.compactMap { line in
                let words = line.split(separator: " ")
                return words.count == 3 && words[0] == "call" ? Int(words[1]).map { ($0, words[2] == "marked") } : nil
            }
        }
        var lines: [String] {
            let text = (try? String(contentsOfFile: folder.path("output"), encoding: .utf8)) ?? ""
            return text.split(separator: "\n").map(String.init)
        }

        /// Stops it where it is, as a machine does that is suspended, or has it go on.
        func stop() { kill(process.processIdentifier, SIGSTOP) }
        func goOn() { kill(process.processIdentifier, SIGCONT) }

        /// Kills it, and returns when it has ended.
        func kill9() async {
            kill(process.processIdentifier, SIGKILL)
            await onOwnThread { [process] in process.waitUntilExit() }
        }
    }
#endif
