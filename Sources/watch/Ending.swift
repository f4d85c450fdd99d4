import Foundation

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
