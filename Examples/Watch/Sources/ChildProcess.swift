import Foundation
import TidingsFoundation

/// A command that runs as a child process.
@MainActor
final class ChildProcess: LineSource {
    nonisolated let title: String
    private let process = Process()
    private let (endings, ended) = AsyncStream.makeStream(of: Ending.self)
    private var reading: Task<Void, any Error>?
    private var isInterrupted = false

    init(_ command: String, arguments: [String]) throws(Failure) {
        title = command
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        process.executableURL = try CommandLookup.find(command, path: path)
        process.arguments = arguments
        // The system stops a background child that reads from a terminal, so the child's input is the null device.
        if isatty(STDIN_FILENO) == 1 { process.standardInput = FileHandle.nullDevice }
    }

    func run(postingTo center: some TypedNotificationCenter) async throws -> Ending {
        let output = Pipe()
        let errors = Pipe()
        process.standardOutput = output
        process.standardError = errors
        // Foundation on Linux declares a notification of the exit, but doesn't post it.
        process.terminationHandler = { [ended] process in
            let status = process.terminationStatus
            ended.yield(process.terminationReason == .exit ? .exited(status) : .signalled(status))
        }
        center.addObserver(self, for: Interrupted.self) { me, note in me.interrupt(with: note.signal) }
        do {
            try process.run()
        } catch {
            throw Failure.notExecutable(title, reason: error.localizedDescription)
        }

        let reading = Task {
            async let lines: Void = read(OutputLine.self, from: output, to: center)
            try await read(ErrorLine.self, from: errors, to: center)
            try await lines
        }
        self.reading = reading
        var iterator = endings.makeAsyncIterator()
        let ending = await iterator.next(isolation: #isolation) ?? .endOfInput
        // If the child is still running, a second signal has ended watching, and the rest of the output isn't read.
        if process.isRunning { reading.cancel() }
        try await reading.value
        return ending
    }

    private func read<Note: LineNotification>(
        _ type: Note.Type, from pipe: Pipe, to center: some TypedNotificationCenter
    ) async throws {
        try await LineReader<Note>(handle: pipe.fileHandleForReading, source: self, center: center).readToEnd()
    }

    /// Passes a signal on to the child and its descendants while the child runs. The second signal, or the first signal
    /// after the child's exit, ends watching.
    private func interrupt(with signal: Int32) {
        guard process.isRunning else {
            reading?.cancel()
            return
        }
        if isInterrupted { ended.yield(.signalled(signal)) }
        isInterrupted = true
        // Foundation makes every child the leader of its own process group, so the terminal's signals don't reach it. A
        // stopped child has to continue before it can handle the signal.
        kill(-process.processIdentifier, signal)
        kill(-process.processIdentifier, SIGCONT)
    }
}

enum CommandLookup {
    /// Returns the executable file of a command, or throws the reason why there is none.
    ///
    /// A command with a slash is a path. Any other command is searched for in the folders of `path`, separated by
    /// colons. An empty folder is the current one.
    static func find(_ command: String, path: String) throws(Failure) -> URL {
        if command.contains("/") { return try executable(at: URL(filePath: command)) }
        var failure = Failure.notFound(command)
        for folder in path.split(separator: ":", omittingEmptySubsequences: false) where !command.isEmpty {
            let url = URL(filePath: folder.isEmpty ? "." : String(folder)).appending(path: command)
            guard FileManager.default.fileExists(atPath: url.path(percentEncoded: false)) else { continue }
            // A file that can't be executed is reported, unless a later folder has an executable one.
            do { return try executable(at: url) } catch { failure = error }
        }
        throw failure
    }

    private static func executable(at url: URL) throws(Failure) -> URL {
        let path = url.path(percentEncoded: false)
        var isFolder: ObjCBool = false
        // The pointer is only used during the call.
        guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { throw .notFound(path) }
        if isFolder.boolValue { throw .notExecutable(path, reason: "it is a folder") }
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw .notExecutable(path, reason: "permission denied")
        }
        return url
    }
}
