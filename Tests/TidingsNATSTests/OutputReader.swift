import Foundation
import TestSupport
import Tidings
import TidingsTesting

/// Reads the output of a process from a pipe. A second process may have inherited the pipe, and may keep the pipe open
/// after the first process has exited. Therefore, `finish` writes an end mark into the pipe.
final class OutputReader: Sendable {
    let pipe = Pipe()
    private let writeEnd: Int32
    private let chunks = ReceivedValues<Void>()
    private let written = Lock(Data())
    private let end = Gate()
    /// A byte that never occurs in UTF-8.
    private static let mark: UInt8 = 0xFF

    init() {
        writeEnd = dup(pipe.fileHandleForWriting.fileDescriptor)
        pipe.fileHandleForReading.readabilityHandler = { [weak self, chunks, end] handle in
            let data = handle.availableData
            // The second process may have written after the end mark.
            let output = data.prefix { $0 != Self.mark }
            self?.written.withLock { $0 += output }
            if output.count < data.count || data.isEmpty {
                handle.readabilityHandler = nil
                end.open()
            }
            // This must come last, because a task that is resumed by a chunk also checks whether the output has ended.
            chunks.append(())
        }
    }

    deinit { close(writeEnd) }

    var text: String { String(decoding: data, as: UTF8.self) }

    private var data: Data { written.withLock { $0 } }

    /// Waits until the whole output of a process that has exited is read.
    func finish() async {
        var mark = Self.mark
        // `write` reads one byte, the variable `mark`, and only during the call.
        _ = unsafe write(writeEnd, &mark, 1)
        await end.wait()
    }

    /// Waits until a condition is true of the text that has arrived, until the output has ended, or until the task is
    /// cancelled.
    func wait(until isTrue: (String) -> Bool) async {
        await wait { (data: Data) in isTrue(String(decoding: data, as: UTF8.self)) }
    }

    func wait(until isTrue: (Data) -> Bool) async {
        var count = 0
        while !end.isOpen, !isTrue(data), !Task.isCancelled {
            await chunks.wait(for: count + 1)
            count = chunks.count
        }
    }
}
