import Foundation

/// The program, which is built with the tests and runs as a process.
struct WatchProgram {
    struct Run {
        let status: Int32
        let output: Data
        let errors: String

        var text: String { String(decoding: output, as: UTF8.self) }

        var told: [String] {
            errors.split(separator: "\n").filter { $0.hasPrefix("watch: ") }.map { String($0.dropFirst(7)) }
        }
    }

    static let path = folder.appending(path: "watch").path(percentEncoded: false)

    private let process = Process()
    private let output = File()
    private let errors = File()

    /// Prepares a run of the program. Its standard input is empty by default, and is never that of the test process.
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

    /// Runs the program until it exits. Calls the closure with the process once it is running.
    func run(_ started: (Process) async throws -> Void = { _ in }) async throws -> Run {
        let (ends, ended) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { process in
            // A negative status means that a signal killed the program itself.
            ended.yield(process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus)
        }
        try process.run()
        try await started(process)
        var iterator = ends.makeAsyncIterator()
        let status = await iterator.next(isolation: #isolation) ?? -1
        return try Run(
            status: status, output: output.contents(), errors: String(decoding: errors.contents(), as: UTF8.self))
    }

    /// The folder of the test bundle, which is the folder of the products.
    private static var folder: URL {
        #if os(macOS)
            for bundle in Bundle.allBundles where bundle.bundlePath.hasSuffix(".xctest") {
                return bundle.bundleURL.deletingLastPathComponent()
            }
        #endif
        return Bundle.main.bundleURL
    }
}

private final class File: Sendable {
    private let url = FileManager.default.temporaryDirectory.appending(path: "watch-\(UUID())")

    func forWriting() throws -> FileHandle {
        try Data().write(to: url)
        return try FileHandle(forWritingTo: url)
    }

    func contents() throws -> Data { try Data(contentsOf: url) }

    deinit { try? FileManager.default.removeItem(at: url) }
}
