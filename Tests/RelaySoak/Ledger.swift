import Foundation

/// A file in which a program immediately records each action, so that its actions are known even if it is killed.
final class Ledger: Sendable {
    private let file: Int32

    init(_ path: String) throws {
        // The string is valid for the duration of the call.
        file = unsafe open(path, O_WRONLY | O_APPEND | O_CREAT, 0o644)
        if file < 0 { throw CocoaError(.fileWriteUnknown) }
    }

    deinit { close(file) }

    func write(_ words: String...) {
        var line = Array((words + ["\(SoakClock.now)"]).joined(separator: " ").utf8)
        line.append(UInt8(ascii: "\n"))
        // A single call writes the whole line or nothing, without output of other threads in between. The bytes are
        // valid for the duration of the call.
        let written = unsafe line.withUnsafeBytes { bytes in
            unsafe Foundation.write(file, bytes.baseAddress, bytes.count)
        }
        precondition(written == line.count, "the disk is full")
    }
}

/// The clock that all programs on the machine share.
enum SoakClock {
    /// The seconds since the start of the machine.
    static var now: Double {
        var time = timespec()
        // The call writes to the local variable.
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
