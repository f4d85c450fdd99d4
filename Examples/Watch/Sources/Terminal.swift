import Foundation
import TidingsFoundation

/// The output of the program: the lines that it passes on, and its own messages.
enum Terminal {
    /// Whether the stream for the program's own messages ends with an incomplete line.
    private static let isMidLine = AtomicByte(false)

    /// Writes the text of a line, with a newline only if the line had one, so that valid UTF-8 is passed on unchanged.
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
            tell("cannot write: \(error.localizedDescription)")
            exit(1)
        }
    }

    static func tell(_ text: String) {
        let start = isMidLine.exchange(false, ordering: .relaxed) ? "\n" : ""
        // If this write fails, the failure can't be reported anywhere.
        try? FileHandle.standardError.write(contentsOf: Data("\(start)watch: \(text)\n".utf8))
    }

    /// Opens the null device in place of each standard stream that is closed. Otherwise the next file or pipe that is
    /// opened would get the descriptor of the closed stream, and would be read or written by mistake.
    static func openClosedStreams() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) == -1 {
            // Lower descriptors are already open, so the null device gets this `descriptor`. `open` is
            // safe here, because the path is a literal, so its pointer is valid during the call.
            _ = unsafe open("/dev/null", O_RDWR)
        }
    }
}
