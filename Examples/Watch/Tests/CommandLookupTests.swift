import Foundation
import Testing

@testable import watch

@Suite struct CommandLookupTests {
    @Test func `a name is searched for in the folders of the path, in their order`() throws {
        let url = try CommandLookup.find("sh", path: "/nowhere::/bin:/usr/bin")
        #expect(url.path(percentEncoded: false) == "/bin/sh")
    }

    @Test func `a path is used unchanged`() throws {
        #expect(try CommandLookup.find("/bin/sh", path: "").path(percentEncoded: false) == "/bin/sh")
        #expect(throws: Failure.notFound("/bin/no-such-command")) {
            try CommandLookup.find("/bin/no-such-command", path: "/bin")
        }
    }

    @Test func `a file that can't be executed is reported only if no other file is found`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "lookup-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.path(percentEncoded: false)
        try Data().write(to: folder.appending(path: "sh"))

        #expect(try CommandLookup.find("sh", path: "\(path):/bin").path(percentEncoded: false) == "/bin/sh")
        #expect(throws: Failure.notExecutable("\(path)/sh", reason: "permission denied")) {
            try CommandLookup.find("sh", path: "\(path):/nowhere")
        }
    }

    @Test func `an empty name is not a command`() {
        #expect(throws: Failure.notFound("")) { try CommandLookup.find("", path: "/bin:/usr/bin") }
    }
}
