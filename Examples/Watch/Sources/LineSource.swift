import Foundation
import TidingsFoundation

/// A source of lines. It is the sender of the notification of each line.
protocol LineSource: AnyObject, Sendable {
    /// The name in the summary.
    var title: String { get }

    @MainActor
    func run(postingTo center: some TypedNotificationCenter) async throws -> Ending
}

/// The standard input of the program.
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

/// A source ended. All of its lines were posted before this notification.
struct Ended: TypedNotification, Sendable {
    let sender: any LineSource
    let ending: Ending
    let time: ContinuousClock.Instant
}

enum Ending: Hashable, Sendable {
    /// The command exited with this status.
    case exited(Int32)
    /// This signal killed the command, or ended reading.
    case signalled(Int32)
    /// The input ended.
    case endOfInput

    /// The exit status that a shell uses for this ending.
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
        // `strsignal` returns a string that belongs to the C library. It is copied at once.
        unsafe strsignal(signal).map { unsafe String(cString: $0) } ?? "unknown"
    }
}

/// The reason why a source can't be watched, with the exit status that shells use for it.
struct Failure: Error, Equatable, CustomStringConvertible {
    let description: String
    let exitStatus: Int32

    /// The file doesn't exist, or no folder of `PATH` contains it.
    static func notFound(_ command: String) -> Failure {
        Failure(description: "\(command): command not found", exitStatus: 127)
    }

    /// The file exists but can't be executed.
    static func notExecutable(_ path: String, reason: String) -> Failure {
        Failure(description: "\(path): cannot be run: \(reason)", exitStatus: 126)
    }

    /// The source can't be read, because of the error with this number.
    static func unreadable(_ title: String, error: Int32) -> Failure {
        // `strerror` returns a string that belongs to the C library. It is copied at once.
        Failure(description: "\(title): \(unsafe String(cString: strerror(error)))", exitStatus: 1)
    }
}
