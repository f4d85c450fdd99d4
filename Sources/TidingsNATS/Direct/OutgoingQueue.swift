#if NATS
    import Tidings
    import TidingsRelay

    /// What waits for the thread of a connection to write it, in order, and who waits for the server to have taken it.
    ///
    /// So who publishes waits for no lock that is held during a call of the system, and what is published while the thread is at
    /// work goes out in one piece.
    final class OutgoingQueue: Sendable {
        private struct State {
            var text = ClientText()
            /// How many messages the text has.
            var messages = 0
            /// How many bytes wait, also of what was taken out and is not written yet.
            var backlog = 0
            var isOver = false
            /// Who waits for the answer to each ping, in order; `nil` for one that only asks whether the server is there.
            var pings = TwoStackQueue<CheckedContinuation<Bool, Never>?>()
        }

        private let state = Lock(State())

        /// How many bytes the server has not taken yet.
        var backlog: Int { state.withLock { $0.backlog } }

        var isOver: Bool { state.withLock { $0.isOver } }

        /// Whether something waits here.
        var isEmpty: Bool { state.withLock { $0.text.isEmpty } }

        /// Whether so much has come, while the thread wrote what came before, that it is worth waiting for more: fewer and larger
        /// pieces take less of everyone's time.
        var isBurst: Bool { state.withLock { $0.messages >= 16 } }

        /// Adds a message.
        func publish(_ message: RelayMessage) -> PublishingOutcome {
            state.withLock { state in
                if state.isOver { return .ended }
                let before = state.text.bytes.count
                guard state.text.publish(message) else {
                    return .impossible("\(message.subject.debugDescription) or a header of it is no text of NATS")
                }
                state.messages += 1
                state.backlog += state.text.bytes.count - before
                return .accepted
            }
        }

        /// Adds something else.
        ///
        /// - Returns: What `write` returns; `nil` if the connection has ended.
        @discardableResult
        func write<Result: Sendable>(_ write: (inout ClientText) -> Result) -> Result? {
            state.withLock { state in
                if state.isOver { return nil }
                let before = state.text.bytes.count
                let result = write(&state.text)
                state.backlog += state.text.bytes.count - before
                return result
            }
        }

        /// Asks whether the server is there.
        ///
        /// - Parameter continuation: Who waits for the answer, or for the end.
        func ping(_ continuation: CheckedContinuation<Bool, Never>?) {
            let isOver = state.withLock { state in
                if state.isOver { return true }
                state.text.ping()
                state.backlog += 6
                state.pings.append(continuation)
                return false
            }
            if isOver { continuation?.resume(returning: false) }
        }

        /// Notes that the server has answered a ping, so has taken everything that was written before.
        func notePong() { state.withLock { $0.pings.popFirst() ?? nil }?.resume(returning: true) }

        /// Takes out what waits.
        ///
        /// - Parameter text: An empty one, whose memory is used for what is added from now on.
        func take(_ text: inout ClientText) {
            state.withLock { state in
                swap(&state.text, &text)
                state.messages = 0
            }
        }

        /// Notes that bytes were written.
        func noteWritten(_ count: Int) { state.withLock { $0.backlog -= count } }

        /// Takes nothing more, drops what waits, and lets go who waits.
        func end() {
            var pings = state.withLock { state in
                state.isOver = true
                state.text = ClientText()
                defer { state.pings = TwoStackQueue() }
                return state.pings
            }
            while let continuation = pings.popFirst() { continuation?.resume(returning: false) }
        }
    }
#endif
