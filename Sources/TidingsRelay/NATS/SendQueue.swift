#if NATS
    import Tidings

    /// What waits for the loop of a connection to hand it to the C client, in order.
    ///
    /// So who publishes waits for no lock that is held during a call of the system, and what is published while the loop is at
    /// work goes out in one piece.
    final class SendQueue: Sendable {
        private struct State {
            var batch = SendBatch()
            /// How many bytes wait, also of what was taken out and is not written yet.
            var backlog = 0
            var isOver = false
        }

        private let state = Lock(State())

        /// How many bytes the server has not taken yet.
        var backlog: Int { state.withLock { $0.backlog } }

        /// Whether something waits here.
        var isEmpty: Bool { state.withLock { $0.batch.isEmpty } }

        /// Whether so much has come, while the loop wrote what came before, that it is worth waiting for more: fewer and larger
        /// pieces take less of everyone's time.
        var isBurst: Bool { state.withLock { $0.batch.frames.count >= 16 } }

        /// Adds a message.
        ///
        /// - Returns: Whether it was added: nothing is when the connection has ended.
        func append(_ message: RelayMessage) -> Bool {
            state.withLock { state in
                if state.isOver { return false }
                state.backlog += state.batch.append(message)
                return true
            }
        }

        /// Has a task go on when everything before has been handed over.
        func mark(_ continuation: CheckedContinuation<Void, Never>) {
            let isOver = state.withLock { state in
                if !state.isOver { state.batch.marks.append((state.batch.frames.count, continuation)) }
                return state.isOver
            }
            if isOver { continuation.resume() }
        }

        /// Takes out what waits.
        ///
        /// - Parameter batch: An empty one, whose memory is used for what is added from now on.
        func take(_ batch: inout SendBatch) { state.withLock { swap(&$0.batch, &batch) } }

        /// Notes that bytes were written.
        func noteWritten(_ count: Int) { state.withLock { $0.backlog -= count } }

        /// Takes nothing more, and drops what waits.
        ///
        /// - Returns: How many messages were dropped that nobody waits for.
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

    /// Messages one behind the other in the same memory, in which each string ends with a 0.
    ///
    /// They are written by one thread and read by another. Were each message in memory of its own, the two would wait for each
    /// other when one allocates and the other frees.
    struct SendBatch: Sendable {
        /// Where a message lies.
        struct Frame: Sendable {
            let subject: Int
            /// The same as `headers` if there is none.
            let reply: Int
            let headers: Int
            let headerCount: Int
            let body: Int
            let end: Int
        }

        fileprivate(set) var bytes: [UInt8] = []
        fileprivate(set) var frames: [Frame] = []

        /// Who waits, and until how many messages have been handed over.
        fileprivate(set) var marks: [(position: Int, continuation: CheckedContinuation<Void, Never>)] = []

        var isEmpty: Bool { frames.isEmpty && marks.isEmpty }

        /// Adds a message.
        ///
        /// - Returns: How many bytes it takes.
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

        /// How many messages, from a place on, are notifications that nobody waits for: what expects an answer is sent again, and what the
        /// server's own subjects get, which begin with a `$`, makes up for itself.
        func transients(from position: Int) -> Int {
            frames[min(position, frames.count)...].count {
                $0.reply == $0.headers && bytes[$0.subject] != UInt8(ascii: "$")
            }
        }

        /// Lets go who waits for what was handed over.
        mutating func resume(upTo position: Int) {
            while let first = marks.first, first.position <= position {
                marks.removeFirst()
                first.continuation.resume()
            }
        }

        /// Forgets the messages, and keeps their memory, unless it is a lot.
        mutating func clear() {
            if bytes.capacity > 1 << 22 { bytes = [] }
            bytes.removeAll(keepingCapacity: true)
            frames.removeAll(keepingCapacity: true)
        }
    }
#endif
