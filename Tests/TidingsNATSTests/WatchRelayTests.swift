import Foundation
import TestSupport
import Testing
import Tidings
import TidingsRelay
import TidingsTesting

@Suite(.timeLimit(.ofServers)) struct WatchRelayTests {
    @Test func `with --listen, watch prints the lines that another watch process relays`() async throws {
        let server = try ServerProcess()
        try await server.start()
        let listeners = try (0..<2).map { _ in try WatchProcess("--listen", server.address) }
        for listener in listeners { await listener.told("watch: listening") }
        let count = RelayTrials.lines
        let relaying = try WatchProcess(
            "--relay", server.address, "sh", "-c", "seq 1 \(count); echo wrong >&2; printf 'grün\\377 last'; exit 3")
        #expect(await relaying.wait() == 3)
        for listener in listeners {
            // The signal is sent only after the last line, because the program then waits for missing lines for at most
            // ten seconds.
            await listener.printed(" last")
            listener.terminate()
            #expect(await listener.wait() == 0)
            #expect(listener.output == (1...count).map { "\($0)\n" }.joined() + "grün\u{FFFD} last")
            #expect(listener.output == relaying.output)
            #expect(listener.errors.contains("wrong\n"))
            #expect(!listener.errors.contains("sh: exited"))
        }
        #expect(relaying.errors.contains("watch: sh: exited with status 3"))
    }

    @Test func `watch queues lines while no server runs, and relays them when the server has started`() async throws {
        let server = try ServerProcess()
        let relaying = try WatchProcess("--relay", server.address, "echo", "one")
        await relaying.told("cannotConnect")
        try await server.start()
        #expect(await relaying.wait() == 0)
    }

    @Test func `watch redrives all dead letters, or the dead letters with given numbers`() async throws {
        let server = try ServerProcess()
        try await server.start()
        struct Failed: Error {}
        let office = try RelayedProgram("office", server, [.durable(Tick.self, .both, stream: "TICKS")]) {
            $0.retryPolicy = []
        }
        await office.relay.waitUntilReady()
        let shop = try RelayedProgram("shop", server, [.durable(Tick.self, .outgoing, stream: "TICKS")])
        let token = office.center.addObserver(on: .task, for: Tick.self) { _ in
            if office.received.count <= 3 { throw Failed() }
        }
        for number in 1...3 { await shop.center.deliver(Tick(poster: 1, number: number)) }
        while office.faults.values.count(where: { $0.kind == .deadLetter }) < 3 {
            await office.faults.wait(for: office.faults.count + 1)
        }
        let chosen = try WatchProcess("--redrive", server.address, "TICKS", "2")
        #expect(await chosen.wait() == 0)
        #expect(chosen.errors.contains("2: tidings.test.tick.v1 for office-test_tick, reason: observerFailed"))
        #expect(chosen.errors.contains("1 sent back"))
        await office.received.wait(for: 4)
        let all = try WatchProcess("--redrive", server.address, "TICKS")
        #expect(await all.wait() == 0)
        #expect(all.errors.contains("2 sent back"))
        await office.received.wait(for: 6)
        let absent = try WatchProcess("--redrive", server.address, "TICKS", "2")
        #expect(await absent.wait() == 1)
        await office.stop()
        await shop.stop()
        withExtendedLifetime(token) {}
    }

    @Test func `the option --listen requires an address`() async throws {
        let program = try WatchProcess("--listen")
        #expect(await program.wait() == 2)
        #expect(program.errors.contains("--listen needs the address"))
    }
}

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

    func told(_ text: String) async { await err.wait { $0.contains(text) } }

    func printed(_ text: String) async {
        await out.wait { (data: Data) in data.suffix(text.utf8.count) == Data(text.utf8) }
    }

    func terminate() { kill(process.processIdentifier, SIGTERM) }

    func wait() async -> Int32 {
        await onOwnThread { [process] in process.waitUntilExit() }
        await out.finish()
        await err.finish()
        return process.terminationStatus
    }
}
