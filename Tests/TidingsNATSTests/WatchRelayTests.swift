import Foundation
import TestSupport
import Testing
import Tidings
import TidingsTesting

/// The example program, in two processes.
@Suite(.timeLimit(.minutes(20))) struct WatchRelayTests {
    @Test func `what one watch relays, another prints as it would appear there`() async throws {
        let server = try ServerProcess()
        try await server.start()
        let listeners = try (0..<2).map { _ in try WatchProcess("--listen", server.address) }
        for listener in listeners { await listener.told("watch: listening") }
        let count = RelayTrials.lines
        let relaying = try WatchProcess(
            "--relay", server.address, "sh", "-c", "seq 1 \(count); echo wrong >&2; printf 'grün\\377 last'; exit 3")
        #expect(await relaying.wait() == 3)
        for listener in listeners {
            listener.terminate()
            #expect(await listener.wait() == 0)
            #expect(listener.output == (1...count).map { "\($0)\n" }.joined() + "grün\u{FFFD} last")
            #expect(listener.output == relaying.output)
            #expect(listener.errors.contains("wrong\n"))
            #expect(!listener.errors.contains("sh: exited"))
        }
        #expect(relaying.errors.contains("watch: sh: exited with status 3"))
    }

    @Test func `lines wait for a server that comes later`() async throws {
        let server = try ServerProcess()
        let relaying = try WatchProcess("--relay", server.address, "echo", "one")
        await relaying.told("cannotConnect")
        try await server.start()
        #expect(await relaying.wait() == 0)
    }

    @Test func `an option without an address is told`() async throws {
        let program = try WatchProcess("--listen")
        #expect(await program.wait() == 2)
        #expect(program.errors.contains("--listen is followed by the address"))
    }
}

/// The program as it was built beside the tests, run as a process whose output is read as it comes.
private final class WatchProcess: Sendable {
    private let process = Process()
    private let (out, err) = (OutputReader(), OutputReader())

    init(_ arguments: String...) throws {
        process.executableURL = Bundle.main.bundleURL.appending(path: "watch")
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = out.pipe
        process.standardError = err.pipe
        try process.run()
    }

    var output: String { out.text }
    var errors: String { err.text }

    /// Returns when standard error has a text.
    func told(_ text: String) async { await err.wait { $0.contains(text) } }

    func terminate() { kill(process.processIdentifier, SIGTERM) }

    /// Returns the exit status when the program has ended and all that it wrote is read.
    func wait() async -> Int32 {
        await onOwnThread { [process] in process.waitUntilExit() }
        await out.finish()
        await err.finish()
        return process.terminationStatus
    }
}
