import Foundation

/// A file to which a program writes what it does, a line each, at once: what it has done is known also when it is killed.
final class Ledger: Sendable {
    private let file: Int32

    /// - Parameter path: The file, which is made if there is none.
    /// - Throws: An error if it cannot be written.
    init(_ path: String) throws {
        // The text lasts for the call.
        file = unsafe open(path, O_WRONLY | O_APPEND | O_CREAT, 0o644)
        if file < 0 { throw CocoaError(.fileWriteUnknown) }
    }

    deinit { close(file) }

    /// Writes a line, with the time.
    func write(_ words: String...) {
        var line = Array((words + ["\(SoakClock.now)"]).joined(separator: " ").utf8)
        line.append(UInt8(ascii: "\n"))
        // In one call, so that there is all of it or none, and no other thread's between. The bytes last for the call.
        let written = unsafe line.withUnsafeBytes { bytes in
            unsafe Foundation.write(file, bytes.baseAddress, bytes.count)
        }
        precondition(written == line.count, "the disk is full")
    }
}

/// The clock that all programs of the machine have in common.
enum SoakClock {
    /// Seconds since the machine was started.
    static var now: Double {
        var time = timespec()
        // It writes into the local variable.
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
