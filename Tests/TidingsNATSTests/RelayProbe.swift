import Foundation
import TestSupport

/// A program of its own that relays, so that it can be killed.
final class RelayProbe: Sendable {
    private let process = Process()
    private let output = OutputReader()
    private let input = Pipe()

    convenience init(_ arguments: String...) throws { try self.init(arguments) }

    init(_ arguments: [String]) throws {
        process.executableURL = Bundle.main.bundleURL.appending(path: "RelayProbe")
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output.pipe
        try process.run()
    }

    /// The lines that the program has written.
    var lines: [String] { output.text.split(separator: "\n").map(String.init) }

    /// Returns when the last line begins with a text.
    func wait(forLast beginning: String) async {
        await output.wait { (data: Data) in
            guard data.last == UInt8(ascii: "\n") else { return false }
            let line = data.dropLast().reversed().prefix { $0 != UInt8(ascii: "\n") }.reversed()
            return String(decoding: line, as: UTF8.self).split(separator: " ").first == beginning[...]
        }
    }

    /// Returns when the program has written so many lines.
    func wait(forLines count: Int) async {
        await output.wait { (data: Data) in data.count { $0 == UInt8(ascii: "\n") } >= count }
    }

    /// Writes a line that the program reads.
    func tell(_ line: String) { input.fileHandleForWriting.write(Data("\(line)\n".utf8)) }

    /// Ends what the program reads, and returns when it has ended and all that it has written is read.
    ///
    /// - Returns: The exit status.
    func end() async throws -> Int32 {
        try input.fileHandleForWriting.close()
        await onOwnThread { [process] in process.waitUntilExit() }
        await output.finish()
        return process.terminationStatus
    }

    /// Returns when the lines that the program has written make a condition true, or when it has ended and all is read.
    func wait(until isTrue: ([String]) -> Bool) async {
        let ending = Task { [process, output] in
            await onOwnThread { process.waitUntilExit() }
            await output.finish()
        }
        await output.wait { (text: String) in
            // The last one may not have been read to its end.
            isTrue(text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init))
        }
        if !process.isRunning { await ending.value }
    }

    /// Kills the program, and returns when all that it has written is read.
    func kill9() async {
        kill(process.processIdentifier, SIGKILL)
        await onOwnThread { [process] in process.waitUntilExit() }
        await output.finish()
    }
}
