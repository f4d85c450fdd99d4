#if NATS
    /// The messages that the event loop will send. A post only adds a message, so it never waits for the socket.
    final class SendQueue: Sendable {
        private struct State {
            var batch = SendBatch()
            /// The number of bytes that haven't been written, including messages that were taken from the queue.
            var backlog = 0
            var isOver = false
        }

        private let state = Lock(State())

        var backlog: Int { state.withLock { $0.backlog } }

        var isEmpty: Bool { state.withLock { $0.batch.isEmpty } }

        /// Whether many messages are queued. The loop then waits 1 ms for more, because large writes are cheaper.
        var isBurst: Bool { state.withLock { $0.batch.frames.count >= 16 } }

        func append(_ message: RelayMessage) -> Bool {
            state.withLock { state in
                if state.isOver { return false }
                state.backlog += state.batch.append(message)
                return true
            }
        }

        func mark(_ continuation: CheckedContinuation<Void, Never>) {
            let isOver = state.withLock { state in
                if !state.isOver { state.batch.marks.append((state.batch.frames.count, continuation)) }
                return state.isOver
            }
            if isOver { continuation.resume() }
        }

        func take(_ batch: inout SendBatch) { state.withLock { swap(&$0.batch, &batch) } }

        func noteWritten(_ count: Int) { state.withLock { $0.backlog -= count } }

        func end() -> Int {
            let batch = state.withLock { state in
                state.isOver = true
                defer { state.batch = SendBatch() }
                return state.batch
            }
            for (_, continuation) in batch.marks { continuation.resume() }
            return batch.transients(from: 0)
        }
    }

    /// Messages whose bytes are in one array, in which each string ends with a zero byte. If each message had its own
    /// memory, the threads that queue and send messages would contend for the allocator.
    struct SendBatch: Sendable {
        struct Frame: Sendable {
            let subject: Int
            /// The index of the reply subject. Equal to `headers` if there is no reply subject.
            let reply: Int
            let headers: Int
            let headerCount: Int
            let body: Int
            let end: Int
        }

        fileprivate(set) var bytes: [UInt8] = []
        fileprivate(set) var frames: [Frame] = []
        /// Each continuation resumes when the first `position` messages have been passed to the C client.
        fileprivate(set) var marks: [(position: Int, continuation: CheckedContinuation<Void, Never>)] = []

        var isEmpty: Bool { frames.isEmpty && marks.isEmpty }

        fileprivate mutating func append(_ message: RelayMessage) -> Int {
            let subject = bytes.count
            append(message.subject)
            let reply = bytes.count
            if let text = message.reply { append(text) }
            let headers = bytes.count
            for header in message.headers {
                append(header.name)
                append(header.value)
            }
            let body = bytes.count
            bytes += message.bytes
            frames.append(
                Frame(
                    subject: subject, reply: reply, headers: headers, headerCount: message.headers.count, body: body,
                    end: bytes.count))
            return bytes.count - subject
        }

        private mutating func append(_ text: String) {
            bytes.append(contentsOf: text.utf8)
            bytes.append(0)
        }

        /// Returns the number of transient messages. A transient message has no reply subject, and its subject doesn't
        /// begin with `$`, unlike messages to the server itself.
        func transients(from position: Int) -> Int { frames[min(position, frames.count)...].count(where: isTransient) }

        func isTransient(_ frame: Frame) -> Bool {
            frame.reply == frame.headers && bytes[frame.subject] != UInt8(ascii: "$")
        }

        mutating func resume(upTo position: Int) {
            while let first = marks.first, first.position <= position {
                marks.removeFirst()
                first.continuation.resume()
            }
        }

        mutating func clear() {
            if bytes.capacity > 1 << 22 { bytes = [] }
            bytes.removeAll(keepingCapacity: true)
            frames.removeAll(keepingCapacity: true)
        }
    }
#endif
