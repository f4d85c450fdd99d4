#if GRDB && Libpq
    import Foundation
    import TestSupport
    import Tidings

    /// A program in a separate process with a durable observer, so that a test can kill or stop it.
    final class OutboxProbe: Sendable {
        let name: String
        private let process = Process()
        /// Contains the program's output. A file can be read even while the program is stopped, and keeps its content
        /// when the program is killed.
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

        /// The calls that have started, and whether each was marked as possibly repeated.
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

        /// Stops the program where it is, like a machine that is suspended. `goOn()` resumes it.
        func stop() { kill(process.processIdentifier, SIGSTOP) }
        func goOn() { kill(process.processIdentifier, SIGCONT) }

        /// Kills the program, and returns when it has ended.
        func kill9() async {
            kill(process.processIdentifier, SIGKILL)
            await onOwnThread { [process] in process.waitUntilExit() }
        }
    }
#endif
