import Foundation
import Testing

/// A client that depends on a clone of the package in a local folder.
@Suite(.timeLimit(.minutes(2))) struct CloneFolderTests {
    @Test func `a client can use a clone in a folder of any name if the dependency states the package's name`() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "clone-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        let client = directory.appending(path: "client")
        let sources = client.appending(path: "Sources/client")
        try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
        try "import Tidings\n".write(to: sources.appending(path: "main.swift"), atomically: true, encoding: .utf8)
        var package = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { package.deleteLastPathComponent() }
        try FileManager.default.createSymbolicLink(
            at: directory.appending(path: "some-folder"), withDestinationURL: package)
        let named = try Self.resolve(client, #".package(name: "tidings", path: "../some-folder")"#)
        #expect(named.status == 0, "\(named.output)")
        // The README warns about this spelling: without a name, SwiftPM uses the name of the folder.
        let unnamed = try Self.resolve(client, #".package(path: "../some-folder")"#)
        #expect(unnamed.status != 0 && unnamed.output.contains("unknown package 'tidings'"), "\(unnamed.output)")
    }

    private static func resolve(_ client: URL, _ dependency: String) throws -> Command {
        try """
        // swift-tools-version: 6.3
        import PackageDescription
        let package = Package(
            name: "client", platforms: [.macOS(.v15)], dependencies: [\(dependency)],
            targets: [.executableTarget(name: "client", dependencies: [.product(name: "Tidings", package: "tidings")])])
        """
        .write(to: client.appending(path: "Package.swift"), atomically: true, encoding: .utf8)
        return try Command("swift", ["package", "--package-path", client.path, "show-dependencies"])
    }
}
