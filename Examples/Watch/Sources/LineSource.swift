import Foundation
import TidingsFoundation

/// Where lines come from: the sender of every line.
protocol LineSource: AnyObject, Sendable {
    /// What the summary calls it.
    var title: String { get }

    /// Posts every line, and returns how it ended when there is no more.
    @MainActor
    func run(postingTo center: some TypedNotificationCenter) async throws -> Ending
}

/// What the program itself is given to read.
@MainActor
final class StandardInput: LineSource {
    nonisolated let title = "standard input"
    private var reading: Task<Void, any Error>?
    private var interruption: Int32?

    func run(postingTo center: some TypedNotificationCenter) async throws -> Ending {
        center.addObserver(self, for: Interrupted.self) { me, note in me.interrupt(with: note.signal) }
        let reader = LineReader<OutputLine>(handle: .standardInput, source: self, center: center)
        let reading = Task { try await reader.readToEnd() }
        self.reading = reading
        try await reading.value
        return interruption.map(Ending.signalled) ?? .endOfInput
    }

    private func interrupt(with signal: Int32) {
        interruption = signal
        reading?.cancel()
    }
}

/// A source came to its end; every line of it was posted before.
struct Ended: TypedNotification, Sendable {
    let sender: any LineSource
    let ending: Ending
    /// When it ended.
    let time: ContinuousClock.Instant
}

/// How a source of lines came to its end.
enum Ending: Hashable, Sendable {
    /// The command exited with this status.
    case exited(Int32)
    /// This signal killed the command, or ended the reading.
    case signalled(Int32)
    /// There was nothing more to read.
    case endOfInput

    /// The exit status that says the same, as shells do it.
    var exitStatus: Int32 {
        switch self {
        case .exited(let status): status
        case .signalled(let signal): 128 + signal
        case .endOfInput: 0
        }
    }
}

extension Ending: CustomStringConvertible {
    var description: String {
        switch self {
        case .exited(let status): "exited with status \(status)"
        case .signalled(let signal): "ended by signal \(signal) (\(Self.name(of: signal)))"
        case .endOfInput: "ended"
        }
    }

    private static func name(of signal: Int32) -> String {
        // `strsignal` returns a string of the C library's, which is copied at once.
        unsafe strsignal(signal).map { unsafe String(cString: $0) } ?? "unknown"
    }
}

/// Why a source cannot be watched: what to tell, and the exit status that shells use for it.
struct Failure: Error, Equatable, CustomStringConvertible {
    let description: String
    let exitStatus: Int32

    /// There is no such file, or none in the folders of `PATH`.
    static func notFound(_ command: String) -> Failure {
        Failure(description: "\(command): command not found", exitStatus: 127)
    }

    /// There is such a file, and it cannot be run.
    static func notExecutable(_ path: String, reason: String) -> Failure {
        Failure(description: "\(path): cannot be run: \(reason)", exitStatus: 126)
    }

    /// The source cannot be read, for the reason that has this number.
    static func unreadable(_ title: String, error: Int32) -> Failure {
        // `strerror` returns a string of the C library's, which is copied at once.
        Failure(description: "\(title): \(unsafe String(cString: strerror(error)))", exitStatus: 1)
    }
}
