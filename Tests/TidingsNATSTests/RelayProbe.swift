import Foundation
import TestSupport
import Tidings
import TidingsTesting

/// A program of its own that relays, so that it can be killed.
final class RelayProbe: Sendable {
    private let process = Process()
    private let output = Pipe()
    private let text = ReceivedValues<String>()
    private let isAtEnd = Gate()

    init(_ arguments: String...) throws {
        process.executableURL = Bundle.main.bundleURL.appending(path: "RelayProbe")
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
    }

    func start() throws {
        let rest = Lock("")
        output.fileHandleForReading.readabilityHandler = { [text, isAtEnd] handle in
            let data = handle.availableData
            if data.isEmpty {
                handle.readabilityHandler = nil
                return isAtEnd.open()
            }
            let lines = rest.withLock { rest in
                var parts = (rest + String(decoding: data, as: UTF8.self)).split(separator: "\n", omittingEmptySubsequences: false)
                rest = String(parts.removeLast())
                return parts.map(String.init)
            }
            for line in lines { text.append(line) }
        }
        try process.run()
    }

    /// The lines that the program has written.
    var lines: [String] { text.values }

    /// Returns when there is such a line.
    func wait(for isMeant: (String) -> Bool) async {
        var read = 0
        while true {
            await text.wait(for: read + 1)
            let lines = text.values
            if lines[read...].contains(where: isMeant) { return }
            read = lines.count
        }
    }

    /// Kills the program, and returns when all that it has written is read.
    func kill9() async {
        kill(process.processIdentifier, SIGKILL)
        await onOwnThread { [process] in process.waitUntilExit() }
        await isAtEnd.wait()
    }
}
