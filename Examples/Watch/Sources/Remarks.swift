import Tidings

/// Collects remarks for the summary, on lines that aren't UTF-8 or don't end with a newline.
actor Remarks: MessageConsumer {
    private struct NotUTF8 {
        let first: Int
        var count = 0
    }

    private var notUTF8: [StreamName: NotUTF8] = [:]
    private var unterminated: Set<StreamName> = []
    private var hasEnded = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func consume(_ message: Message) {
        switch message {
        case .line(let stream, .notUTF8(let number)):
            notUTF8[stream, default: NotUTF8(first: number)].count += 1
        case .line(let stream, .unterminated):
            unterminated.insert(stream)
        case .ended:
            hasEnded = true
            for continuation in waiting { continuation.resume() }
            waiting = []
        }
    }

    /// Returns the remarks, once all messages have arrived.
    func all() async -> [String] {
        if !hasEnded { await withCheckedContinuation { waiting.append($0) } }
        return [StreamName.output, .errors].flatMap(remarks)
    }

    private func remarks(on stream: StreamName) -> [String] {
        var remarks: [String] = []
        if let lines = notUTF8[stream] {
            remarks.append(
                lines.count == 1
                    ? "\(stream): line \(lines.first) is not UTF-8"
                    : "\(stream): \(lines.count) lines are not UTF-8, the first is line \(lines.first)")
        }
        if unterminated.contains(stream) { remarks.append("\(stream): the last line has no newline") }
        return remarks
    }
}

enum Message: Sendable {
    /// A line of a stream needs a remark, for this reason.
    case line(StreamName, Oddity)
    /// Everything was read, so no further messages follow.
    case ended

    /// The reasons for a remark on a line.
    enum Oddity: Sendable {
        /// The line with this number in its stream, starting at 1, isn't UTF-8.
        case notUTF8(number: Int)
        /// The line is the last one and has no newline.
        case unterminated
    }
}

struct LineInspector: Sendable {
    /// The bus, or its replacement in a test.
    let messages: any MessageProducer<Message>

    func inspect<Note: LineNotification>(_ note: Note) {
        if !note.line.isUTF8 { messages.dispatch(.line(Note.stream, .notUTF8(number: note.line.number))) }
        if !note.line.isTerminated { messages.dispatch(.line(Note.stream, .unterminated)) }
    }
}
