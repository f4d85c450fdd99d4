#if NATS
    import Tidings

    /// The messages that wait for the loop of a connection to pass them to the C client, in order.
    ///
    /// A poster therefore never waits for a lock that is held during a system call, and messages published while the
    /// loop is writing are sent together.
    final class SendQueue: Sendable {
        private struct State {
            var batch = SendBatch()
            /// The number of pending bytes, including those that were removed from the queue and aren't written yet.
            var backlog = 0
            var isOver = false
        }

        private let state = Lock(State())

        /// The number of bytes that the server hasn't received yet.
        var backlog: Int { state.withLock { $0.backlog } }

        /// Whether no message is queued.
        var isEmpty: Bool { state.withLock { $0.batch.isEmpty } }

        /// Whether so many messages arrived while the loop wrote the previous ones that waiting for more is worthwhile:
        /// fewer and larger writes take less time on both sides.
        var isBurst: Bool { state.withLock { $0.batch.frames.count >= 16 } }

        /// Adds a message.
        ///
        /// - Returns: Whether it was added. No message is added after the connection has ended.
        func append(_ message: RelayMessage) -> Bool {
            state.withLock { state in
                if state.isOver { return false }
                state.backlog += state.batch.append(message)
                return true
            }
        }

        /// Resumes a task when all previous messages have been passed on.
        func mark(_ continuation: CheckedContinuation<Void, Never>) {
            let isOver = state.withLock { state in
                if !state.isOver { state.batch.marks.append((state.batch.frames.count, continuation)) }
                return state.isOver
            }
            if isOver { continuation.resume() }
        }

        /// Removes the queued messages.
        ///
        /// - Parameter batch: An empty batch, whose memory is used for later messages.
        func take(_ batch: inout SendBatch) { state.withLock { swap(&$0.batch, &batch) } }

        /// Records that bytes were written.
        func noteWritten(_ count: Int) { state.withLock { $0.backlog -= count } }

        /// Accepts nothing further, and drops the queued messages.
        ///
        /// - Returns: The number of transient messages that were dropped.
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

    /// Messages in consecutive memory, in which each string ends with a 0.
    ///
    /// One thread writes them and another reads them. With separate memory for each message, the two threads would wait
    /// for each other when one allocates and the other frees.
    struct SendBatch: Sendable {
        /// The location of a message.
        struct Frame: Sendable {
            let subject: Int
            /// Equal to `headers` if there is none.
            let reply: Int
            let headers: Int
            let headerCount: Int
            let body: Int
            let end: Int
        }

        fileprivate(set) var bytes: [UInt8] = []
        fileprivate(set) var frames: [Frame] = []

        /// The tasks that wait, each with the number of messages that have to be passed on before.
        fileprivate(set) var marks: [(position: Int, continuation: CheckedContinuation<Void, Never>)] = []

        var isEmpty: Bool { frames.isEmpty && marks.isEmpty }

        /// Adds a message.
        ///
        /// - Returns: The number of bytes that it takes.
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

        /// Returns the number of transient notifications from a position on. Messages that expect a response are sent
        /// again, and messages to the server's own subjects, which begin with a `$`, are compensated for in other ways.
        func transients(from position: Int) -> Int {
            frames[min(position, frames.count)...].count {
                $0.reply == $0.headers && bytes[$0.subject] != UInt8(ascii: "$")
            }
        }

        /// Resumes the tasks that wait for messages that have been passed on.
        mutating func resume(upTo position: Int) {
            while let first = marks.first, first.position <= position {
                marks.removeFirst()
                first.continuation.resume()
            }
        }

        /// Removes the messages, but keeps their memory, unless it is large.
        mutating func clear() {
            if bytes.capacity > 1 << 22 { bytes = [] }
            bytes.removeAll(keepingCapacity: true)
            frames.removeAll(keepingCapacity: true)
        }
    }
#endif
