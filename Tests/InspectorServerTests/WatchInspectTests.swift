import Foundation
import TestSupport
import Testing
import TidingsInspector

@Suite(.offThePool) struct WatchInspectTests {
    @Test func `watch prints its inspector's address, and serves the inspector until the command ends`() async throws {
        let process = Process()
        let errors = Pipe()
        let input = Pipe()
        process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(
            path: "watch")
        process.arguments = ["--inspect", "sh", "-c", "echo started >&2; cat"]
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        try process.run()
        let first = try #require(Self.line(from: errors))
        #expect(first.hasPrefix("watch: inspector at http://127.0.0.1:"))
        #expect(Self.line(from: errors) == "started")
        let parts = first.dropFirst("watch: inspector at ".count).components(separatedBy: "/?token=")
        let port = try #require(URL(string: parts[0])?.port)
        let answer = try await Client(UInt16(port)).exchange(
            "GET /snapshot HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nAuthorization: Bearer \(parts[1])\r\n\r\n")
        let body = try #require(answer.components(separatedBy: "\r\n\r\n").last)
        let snapshot = try JSONDecoder().decode(InspectorSnapshot.self, from: Data(body.utf8))
        #expect(snapshot.program.name == "watch")
        #expect(snapshot.buses.map { $0.name } == ["remarks"])
        #expect(snapshot.types.contains { $0.name == "watch.OutputLine" })
        try input.fileHandleForWriting.close()
        while let line = Self.line(from: errors) { #expect(line.hasPrefix("watch: ")) }
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    private static func line(from pipe: Pipe) -> String? {
        var bytes: [UInt8] = []
        while let byte = try? pipe.fileHandleForReading.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
            bytes.append(byte)
        }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
}
