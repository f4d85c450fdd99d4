import Foundation
import TestSupport
import Tidings
import TidingsTesting

/// Reads the output of a process as it arrives.
///
/// The end of the pipe isn't the end of the process, because another process that was started in the meantime may have
/// inherited the pipe. Therefore the reader writes an end mark into the pipe itself when the process has exited.
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
            self?.written.withLock { $0 += data.last == Self.mark ? data.dropLast() : data }
            if data.last == Self.mark || data.isEmpty {
                handle.readabilityHandler = nil
                end.open()
            }
            // This comes last, because a task that waits for more also checks for the end.
            chunks.append(())
        }
    }

    deinit { close(writeEnd) }

    var text: String { String(decoding: data.filter { $0 != Self.mark }, as: UTF8.self) }

    private var data: Data { written.withLock { $0 } }

    /// Returns when everything that the process wrote was read. The process has exited.
    func finish() async {
        var mark = Self.mark
        // The byte is a local variable.
        _ = unsafe write(writeEnd, &mark, 1)
        await end.wait()
    }

    /// Returns when a condition is true of the text that has arrived so far, or when no more will arrive.
    func wait(until isTrue: (String) -> Bool) async {
        await wait { (data: Data) in isTrue(String(decoding: data, as: UTF8.self)) }
    }

    /// Returns when a condition is true of the bytes that have arrived so far, or when no more will arrive.
    func wait(until isTrue: (Data) -> Bool) async {
        var count = 0
        while !end.isOpen, !isTrue(data) {
            await chunks.wait(for: count + 1)
            count = chunks.count
        }
    }
}
