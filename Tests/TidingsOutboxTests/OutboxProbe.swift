#if GRDB && Libpq
    import Foundation
    import TestSupport
    import Tidings

    /// A program with a durable observer in a separate process, which a test can kill or stop.
    final class OutboxProbe: Sendable {
        let name: String
        private let process = Process()
        /// The folder of the output file, which can be read while the program is stopped and after it was killed.
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

        /// Suspends the program, as if its machine were suspended.
        func stop() { kill(process.processIdentifier, SIGSTOP) }
        func goOn() { kill(process.processIdentifier, SIGCONT) }

        func kill9() async {
            kill(process.processIdentifier, SIGKILL)
            await onOwnThread { [process] in process.waitUntilExit() }
        }
    }
#endif
