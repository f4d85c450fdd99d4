import Foundation
import TestSupport

/// A program of its own that relays, so that it can be killed.
final class RelayProbe: Sendable {
    private let process = Process()
    private let output = OutputReader()

    init(_ arguments: String...) throws {
        process.executableURL = Bundle.main.bundleURL.appending(path: "RelayProbe")
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output.pipe
        try process.run()
    }

    /// The lines that the program has written.
    var lines: [String] { output.text.split(separator: "\n").map(String.init) }

    /// Returns when the last line begins with a text.
    func wait(forLast beginning: String) async {
        await output.wait { text in
            text.hasSuffix("\n") && text.split(separator: "\n").last?.split(separator: " ").first == beginning[...]
        }
    }

    /// Kills the program, and returns when all that it has written is read.
    func kill9() async {
        kill(process.processIdentifier, SIGKILL)
        await onOwnThread { [process] in process.waitUntilExit() }
        await output.finish()
    }
}
