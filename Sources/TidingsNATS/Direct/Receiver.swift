#if NATS
    import Dispatch
    import Synchronization
    import Tidings
    import TidingsRelay

    /// A subscription: what has come for it, and who is called with that, one message at a time and in order.
    ///
    /// It has a queue of its own, so that the connection is read on while an observer takes its time, and a subscription does
    /// not wait for another one.
    final class Receiver: Sendable {
        /// Messages one behind the other in the same memory, which is used again.
        private struct Batch: Sendable {
            var bytes: [UInt8] = []
            var messages: [ServerMessage] = []

            mutating func clear() {
                if bytes.capacity > 1 << 22 { bytes = [] }
                bytes.removeAll(keepingCapacity: true)
                messages.removeAll(keepingCapacity: true)
            }
        }

        private struct State {
            var waiting = Batch()
            /// How many messages were taken out together, and may not have been delivered yet.
            var taken = 0
            var isDelivering = false
            var dropped = 0
            var isSlow = false
        }

        let subject: String
        private let limit: Int
        private let receive: @Sendable (RelayMessage) -> Void
        private let queue: DispatchQueue
        private let block = HeaderBlock()
        private let state = Lock(State())
        /// How many of the messages that were taken out have been delivered.
        private let delivered = Atomic(0)
        private let isOver = Atomic(false)

        /// - Parameters:
        ///   - subject: What is subscribed to.
        ///   - limit: How many messages wait at most.
        ///   - receive: Called with each.
        init(_ subject: String, limit: Int, receive: @escaping @Sendable (RelayMessage) -> Void) {
            self.subject = subject
            self.limit = limit
            self.receive = receive
            queue = DispatchQueue(label: "tidings.nats \(subject)")
        }

        /// Delivers no message any more that has not begun to be.
        func end() { isOver.store(true, ordering: .relaxed) }

        /// Takes messages that have come one behind the other.
        ///
        /// - Parameters:
        ///   - messages: Where their parts lie.
        ///   - range: Where all of them lie.
        ///   - bytes: Among these bytes.
        /// - Returns: How many have been dropped so far, when the first is for which there is no room.
        func take(_ messages: [ServerMessage], _ range: Range<Int>, of bytes: [UInt8]) -> Int? {
            let (begins, dropped) = state.withLock { state in
                let room = limit - state.waiting.messages.count - state.taken + delivered.load(ordering: .relaxed)
                let accepted = messages.prefix(max(0, room))
                if !accepted.isEmpty {
                    let distance = state.waiting.bytes.count - range.lowerBound
                    state.waiting.bytes += bytes[range]
                    for message in accepted { state.waiting.messages.append(message.moved(by: distance)) }
                }
                let wasSlow = state.isSlow
                state.isSlow = accepted.count < messages.count
                state.dropped += messages.count - accepted.count
                defer { state.isDelivering = true }
                return (!state.isDelivering, state.isSlow && !wasSlow ? state.dropped : nil)
            }
            if begins { queue.async { self.deliver() } }
            return dropped
        }

        private func deliver() {
            var batch = Batch()
            var last = (bytes: [UInt8](), text: "")
            while true {
                state.withLock { state in
                    swap(&state.waiting, &batch)
                    state.taken = batch.messages.count
                    delivered.store(0, ordering: .relaxed)
                    if batch.messages.isEmpty { state.isDelivering = false }
                }
                if batch.messages.isEmpty { return }
                for (index, message) in batch.messages.enumerated() {
                    if isOver.load(ordering: .relaxed) { break }
                    receive(self.message(message, in: batch.bytes, &last))
                    delivered.store(index + 1, ordering: .relaxed)
                }
                batch.clear()
            }
        }

        /// Copies a message.
        ///
        /// - Parameters:
        ///   - message: Where its parts lie.
        ///   - bytes: Among these bytes.
        ///   - last: The subject of the last one, which most have again.
        /// - Returns: The message.
        private func message(
            _ message: ServerMessage, in bytes: [UInt8], _ last: inout (bytes: [UInt8], text: String)
        ) -> RelayMessage {
            if message.subject.count != last.bytes.count || !bytes.has(last.bytes, at: message.subject.lowerBound) {
                last = (Array(bytes[message.subject]), String(decoding: bytes[message.subject], as: UTF8.self))
            }
            let reply = message.reply.isEmpty ? nil : String(decoding: bytes[message.reply], as: UTF8.self)
            return RelayMessage(
                last.text, reply: reply,
                headers: message.headers.isEmpty ? [] : block.decoded(bytes, message.headers),
                bytes: Array(bytes[message.body]))
        }
    }
#endif
