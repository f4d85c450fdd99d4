#if NATS
    import TidingsRelay

    /// A line, as it is relayed to those who listen elsewhere.
    struct RelayedLine: RemoteNotification, Hashable {
        static let wireName = "watch.line"

        /// What the source is called.
        let sender: String

        /// Whether the line is one of the source's errors.
        let isError: Bool

        /// Which line of its stream it is, from 1 on.
        let number: Int

        /// The characters of the line, without the newline.
        let text: String

        /// Whether the line ended with a newline.
        let isTerminated: Bool

        init<Note: LineNotification>(_ note: Note) {
            sender = note.sender.title
            isError = Note.stream == .errors
            number = note.line.number
            text = note.line.text
            isTerminated = note.line.isTerminated
        }

        /// The stream to which it was written.
        var stream: StreamName { isError ? .errors : .output }

        /// The line.
        var line: Line { Line(number: number, Array(text.utf8), isTerminated: isTerminated, time: .now) }
    }
#endif
