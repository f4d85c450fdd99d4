import Foundation
import TestSupport
import Tidings
import TidingsTesting

/// Reads what a process writes, as it comes.
///
/// The end of the pipe is not the end of the process: another one that was started meanwhile may have inherited the pipe. So the
/// reader writes the end itself, into the pipe, when the process has exited.
final class OutputReader: Sendable {
    let pipe = Pipe()
    private let writeEnd: Int32
    private let chunks = ReceivedValues<Void>()
    private let written = Lock(Data())
    private let end = Gate()
    /// A byte that is never in UTF-8.
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
            // Last: who waits for more looks at the end, too.
            chunks.append(())
        }
    }

    deinit { close(writeEnd) }

    var text: String { String(decoding: data.filter { $0 != Self.mark }, as: UTF8.self) }

    private var data: Data { written.withLock { $0 } }

    /// Returns when everything that the process wrote is read. It has exited.
    func finish() async {
        var mark = Self.mark
        // One byte of a local variable.
        _ = unsafe write(writeEnd, &mark, 1)
        await end.wait()
    }

    /// Returns when something has come that makes a condition true of all that has come, or when there will be no more.
    func wait(until isTrue: (String) -> Bool) async {
        await wait { (data: Data) in isTrue(String(decoding: data, as: UTF8.self)) }
    }

    /// Returns when something has come that makes a condition true of all the bytes that have come, or when there will be no more.
    func wait(until isTrue: (Data) -> Bool) async {
        var count = 0
        while !end.isOpen, !isTrue(data) {
            await chunks.wait(for: count + 1)
            count = chunks.count
        }
    }
}
