import Foundation
import TidingsFoundation

/// Posts the lines of a file handle.
@MainActor
struct LineReader<Note: LineNotification> {
    let handle: FileHandle
    let source: any LineSource
    let center: any TypedNotificationCenter

    /// Posts every line until the file ends or the task is cancelled.
    func readToEnd() async throws {
        typealias Read = Result<FileHandleRead.Payload, NotificationDecodingError>
        let (reads, arrival) = AsyncStream.makeStream(of: Read.self)
        let token = NotificationCenter.default.addObserver(resultOf: FileHandleRead(), object: handle) { read in
            arrival.yield(read)
        }
        defer { token.cancel() }

        var splitter = LineSplitter()
        handle.readInBackgroundAndNotify()
        for await read in reads {
            let now = ContinuousClock.now
            let payload = try read.get()
            if let error = payload.error { throw Failure.unreadable(source.title, error: error) }
            if payload.bytes.isEmpty { break }
            await post(splitter.lines(in: payload.bytes, at: now))
            handle.readInBackgroundAndNotify()
        }
        if let line = splitter.lastLine(at: .now) { await post([line]) }
    }

    /// Posts lines, and returns when every observer has finished with them.
    ///
    /// This method only waits for the last line, because an observer receives the notifications of a type in order.
    /// Nothing is read meanwhile, so a slow observer slows down reading, and no queue grows.
    private func post(_ lines: [Line]) async {
        for line in lines.dropLast() { center.post(Note(sender: source, line: line)) }
        if let line = lines.last { await center.deliver(Note(sender: source, line: line)) }
    }
}

/// The notification that Foundation posts on the main thread when it has read from a file handle in the background.
struct FileHandleRead: MainActorNotificationDescriptor {
    struct Payload: Sendable {
        /// The bytes. They are empty at the end of the file.
        let bytes: [UInt8]

        /// The number of the error, if there was one.
        let error: Int32?
    }

    let name = FileHandle.readCompletionNotification

    func decode(_ notification: Notification) throws(NotificationDecodingError) -> Payload {
        let reader = UserInfoReader(notification)
        return Payload(
            bytes: [UInt8](try reader.value(for: NSFileHandleNotificationDataItem, as: Data.self)),
            error: try reader.value(for: "NSFileHandleError", as: Int32?.self))
    }
}
