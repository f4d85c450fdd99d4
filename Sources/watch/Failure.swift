import Foundation

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

    /// What is to be read cannot be read, for the reason that has this number.
    static func unreadable(_ title: String, error: Int32) -> Failure {
        // `strerror` returns a string of the C library's, which is copied at once.
        Failure(description: "\(title): \(unsafe String(cString: strerror(error)))", exitStatus: 1)
    }
}
