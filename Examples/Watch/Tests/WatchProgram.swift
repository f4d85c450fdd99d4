import Foundation

/// The program itself, as it was built beside the tests, run as a process.
struct WatchProgram {
    /// What a run left behind.
    struct Run {
        let status: Int32
        let output: Data
        let errors: String

        var text: String { String(decoding: output, as: UTF8.self) }

        /// What the program told about itself, line by line.
        var told: [String] {
            errors.split(separator: "\n").filter { $0.hasPrefix("watch: ") }.map { String($0.dropFirst(7)) }
        }
    }

    /// Where the program is.
    static let path = folder.appending(path: "watch").path(percentEncoded: false)

    private let process = Process()
    private let output = File()
    private let errors = File()

    /// Prepares a run of the program. It reads nothing unless it is given something: never what the tests themselves were given.
    init(_ arguments: String..., reading input: Any = FileHandle.nullDevice) throws {
        try self.init(command: Self.path, arguments, reading: input)
    }

    /// Prepares a run of a shell script, in which `$0` is the program.
    init(script: String, reading input: Any = FileHandle.nullDevice) throws {
        try self.init(command: "/bin/sh", ["-c", script, Self.path], reading: input)
    }

    private init(command: String, _ arguments: [String], reading input: Any) throws {
        process.executableURL = URL(filePath: command)
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = try output.forWriting()
        process.standardError = try errors.forWriting()
    }

    /// Runs the program to its end; calls the closure with the process once it runs.
    func run(_ started: (Process) async throws -> Void = { _ in }) async throws -> Run {
        let (ends, ended) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { process in
            // A signal that kills the program itself is told apart by its sign.
            ended.yield(process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus)
        }
        try process.run()
        try await started(process)
        var iterator = ends.makeAsyncIterator()
        let status = await iterator.next(isolation: #isolation) ?? -1
        return try Run(
            status: status, output: output.contents(), errors: String(decoding: errors.contents(), as: UTF8.self))
    }

    /// The folder of the test bundle, which is that of the products.
    private static var folder: URL {
        #if os(macOS)
            for bundle in Bundle.allBundles where bundle.bundlePath.hasSuffix(".xctest") {
                return bundle.bundleURL.deletingLastPathComponent()
            }
        #endif
        return Bundle.main.bundleURL
    }
}

/// A temporary file, deleted when it is let go.
private final class File: Sendable {
    private let url = FileManager.default.temporaryDirectory.appending(path: "watch-\(UUID())")

    func forWriting() throws -> FileHandle {
        try Data().write(to: url)
        return try FileHandle(forWritingTo: url)
    }

    func contents() throws -> Data { try Data(contentsOf: url) }

    deinit { try? FileManager.default.removeItem(at: url) }
}
