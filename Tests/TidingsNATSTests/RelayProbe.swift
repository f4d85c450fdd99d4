import Foundation
import TestSupport

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

    var lines: [String] { output.text.split(separator: "\n").map(String.init) }

    /// Waits until the last line's first word is the given text.
    func wait(forLast beginning: String) async {
        await output.wait { (data: Data) in
            guard data.last == UInt8(ascii: "\n") else { return false }
            let line = data.dropLast().reversed().prefix { $0 != UInt8(ascii: "\n") }.reversed()
            return String(decoding: line, as: UTF8.self).split(separator: " ").first == beginning[...]
        }
    }

    func wait(forLines count: Int) async {
        await output.wait { (data: Data) in data.count { $0 == UInt8(ascii: "\n") } >= count }
    }

    func tell(_ line: String) { input.fileHandleForWriting.write(Data("\(line)\n".utf8)) }

    /// Closes the program's input. Returns the exit status when the program has ended and its output has been read.
    func end() async throws -> Int32 {
        try input.fileHandleForWriting.close()
        await onOwnThread { [process] in process.waitUntilExit() }
        await output.finish()
        return process.terminationStatus
    }

    /// Waits until the printed lines meet a condition, or until the program has ended and its output has been read.
    func wait(until isTrue: ([String]) -> Bool) async {
        let ending = Task { [process, output] in
            await onOwnThread { process.waitUntilExit() }
            await output.finish()
        }
        await output.wait { (text: String) in
            // The last line may be incomplete.
            isTrue(text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init))
        }
        if !process.isRunning { await ending.value }
    }

    func kill9() async {
        kill(process.processIdentifier, SIGKILL)
        await onOwnThread { [process] in process.waitUntilExit() }
        await output.finish()
    }
}
