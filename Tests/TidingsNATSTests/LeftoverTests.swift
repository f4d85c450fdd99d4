import Foundation
import TestSupport
import Testing
import Tidings
import TidingsRelay
import TidingsTesting

@Suite(.timeLimit(.ofServers)) struct LeftoverTests {
    @Test func `many connections leave no files, threads or memory behind`() async throws {
        let server = try ServerProcess()
        try await server.start()
        // The limit allows ten memory pages for each connection. An open connection uses more than twice as many.
        try await expectNothingLeft(pages: 2000) {
            let shop = try RelayedProgram(
                "shop", server, [.transient(FaultTests.Big.self), .durable(Tick.self, .outgoing, stream: "TICKS")])
            await shop.relay.waitUntilReady()
            await shop.center.deliver(Tick(poster: 1, number: 1))
            await shop.stop()
        }
    }

    @Test func `many rejected attempts to connect leave no files, threads or memory behind`() async throws {
        let server = try ServerProcess(["--auth", "secret"])
        try await server.start()
        try await expectNothingLeft(pages: 2000) {
            let stranger = try RelayedProgram("stranger", server, [.transient(Tick.self)])
            _ = await stranger.fault(.permissionDenied)
            await stranger.stop()
        }
    }

    private func expectNothingLeft(pages: Int, after connectAndStop: () async throws -> Void) async throws {
        func count(_ folder: String) throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(folder)").count
        }
        for _ in 0..<50 { try await connectAndStop() }
        let (files, threads, held) = (try count("fd"), try count("task"), try heldPages())
        for _ in 0..<200 { try await connectAndStop() }
        // Other tests open files, too. The limit of 100 allows for them, and is below the 200 connections made here.
        #expect(try count("fd") < files + 100)
        // Some files and threads may be released only shortly after `connectAndStop` has returned.
        try await eventually("files and threads are released") {
            try count("fd") <= files + 20 && count("task") <= threads + 20
        }
        #expect(try heldPages() < held + pages)
    }
}

private func heldPages() throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    return Int(text.split(separator: " ")[1]) ?? 0
}
