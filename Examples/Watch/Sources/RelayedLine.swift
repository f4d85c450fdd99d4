#if NATS
    import TidingsRelay

    /// A line in the form in which it is relayed to other processes.
    struct RelayedLine: RemoteNotification, Hashable {
        static let wireName = "watch.line"

        /// The name of the source.
        let sender: String

        /// Whether the line belongs to the source's errors.
        let isError: Bool

        /// The number of the line in its stream, starting at 1.
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

        var stream: StreamName { isError ? .errors : .output }

        var line: Line { Line(number: number, Array(text.utf8), isTerminated: isTerminated, time: .now) }
    }
#endif
