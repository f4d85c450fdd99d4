import Foundation
import TidingsFoundation

/// Where the program writes: what it passes on, and what it tells about itself.
enum Terminal {
    /// Whether the last thing where the program tells about itself is a line without its newline.
    private static let isMidLine = AtomicByte(false)

    /// Writes a line as it came, with a newline only if it had one, so that it can be piped on unchanged.
    static func pass(on line: Line, from stream: StreamName) {
        let text = Data((line.isTerminated ? line.text + "\n" : line.text).utf8)
        do {
            switch stream {
            case .output: try FileHandle.standardOutput.write(contentsOf: text)
            case .errors: try FileHandle.standardError.write(contentsOf: text)
            }
            if stream == .errors || isatty(STDOUT_FILENO) == 1 {
                isMidLine.store(!line.isTerminated, ordering: .relaxed)
            }
        } catch {
            // The reader of the output is gone.
            tell("cannot write: \(error.localizedDescription)")
            exit(1)
        }
    }

    /// Writes a line to standard error, marked as the program's own.
    static func tell(_ text: String) {
        let start = isMidLine.exchange(false, ordering: .relaxed) ? "\n" : ""
        // If this cannot be written, there is no place left to say so.
        try? FileHandle.standardError.write(contentsOf: Data("\(start)watch: \(text)\n".utf8))
    }

    /// Opens the null device in the place of each standard stream that is closed.
    ///
    /// Otherwise the next file or pipe that is opened would take its place, and be read or written by mistake.
    static func openClosedStreams() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) == -1 {
            // Lower ones are open by now, so this becomes `descriptor`. The path is a constant.
            _ = unsafe open("/dev/null", O_RDWR)
        }
    }
}
