/// The last messages that streams reported as stored. When the leader of a replicated stream fails, the next leader may
/// lack some of these messages. The relay sends them again after every sign of such a failure. Within its duplicate
/// window, the stream recognizes the messages that it still has. A message is only sent again during the first half of
/// the window. Otherwise the message could arrive after the window, and be stored twice.
struct StoredMessages: Sendable {
    struct Stream: Hashable, Sendable {
        var duplicateWindow: Duration
        /// The creation time, which shows whether a stream was deleted and created again.
        var created: String?
    }

    static let limit = 4096
    static let byteLimit = 4 << 20

    private var streams: [String: Stream] = [:]
    /// The messages, from the index `head` on.
    private var messages: [PackedMessage?] = []
    private var head = 0
    private var bytes = 0
    private var lastNumbers: [String: UInt64] = [:]

    mutating func add(_ item: MessageLine.Item, _ number: UInt64, at time: Duration) {
        if item.stream.isEmpty || item.bytes > Self.byteLimit { return }
        // By this header, the stream recognizes a message that is sent again.
        if item.message.header("Nats-Msg-Id") == nil { return }
        let message = PackedMessage(item, number, at: time)
        messages.append(message)
        bytes += message.size
        while messages.count - head > Self.limit || bytes > Self.byteLimit { removeFirst() }
        if head > Self.limit {
            messages.removeFirst(head)
            head = 0
        }
    }

    private mutating func removeFirst() {
        bytes -= messages[head]?.size ?? 0
        messages[head] = nil
        head += 1
    }

    /// Records a new message's number. Returns true if the previous number was at least as high, so messages were lost.
    mutating func isBehind(_ stream: String, _ number: UInt64) -> Bool {
        if stream.isEmpty { return false }
        return lastNumbers.updateValue(number, forKey: stream).map { number <= $0 } ?? false
    }

    /// Returns the streams that were created again. Their messages are forgotten.
    mutating func connect(_ streams: [String: Stream]) -> Set<String> {
        let replaced = Set(
            self.streams.filter { name, stream in streams[name].map { $0.created != stream.created } ?? false }.keys)
        self.streams = streams
        for stream in replaced {
            _ = take(of: stream, at: .zero)
            lastNumbers[stream] = nil
        }
        return replaced
    }

    /// Whether the stream still recognizes a message that it stored at `time` if it is sent again now.
    func isRecent(_ stream: String, _ time: Duration, at now: Duration) -> Bool {
        (now - time) * 2 < streams[stream]?.duplicateWindow ?? .zero
    }

    mutating func take(of stream: String?, at now: Duration) -> [PackedMessage] {
        let all = messages[head...].compactMap { $0 }
        messages = stream == nil ? [] : all.filter { $0.stream != stream }
        head = 0
        bytes = messages.reduce(0) { $0 + ($1?.size ?? 0) }
        return all.filter { (stream == nil || $0.stream == stream) && isRecent($0.stream, $0.time, at: now) }
    }

    mutating func tick(at now: Duration) {
        while head < messages.count, let first = messages[head], !isRecent(first.stream, first.time, at: now) {
            removeFirst()
        }
    }

    static func fault(of result: Result<UInt64, RelayFault>, isDuplicate: Bool) -> RelayFault? {
        switch result {
        case .success(let number) where !isDuplicate:
            let words = "the stream lost the notification after storing it, and has stored it again as number \(number)"
            return RelayFault(.storedAgain, words)
        case .failure(let fault) where fault.kind != .stopped: return fault
        default: return nil
        }
    }
}

extension RelayFault {
    /// The result for a stored message that isn't sent again after all. `fault(of:isDuplicate:)` doesn't report it.
    static let repeatsNothing = RelayFault(.stopped, "the stream has stored it")
}
