import Tidings

/// Tells a bus what is odd about lines.
struct Inspector: Sendable {
    /// The bus, or what stands in for it in a test.
    let messages: any MessageProducer<Message>

    /// Looks at a line.
    func inspect<Note: LineNotification>(_ note: Note) {
        if !note.line.isUTF8 { messages.dispatch(.line(Note.stream, .notUTF8(number: note.line.number))) }
        if !note.line.isTerminated { messages.dispatch(.line(Note.stream, .unterminated)) }
    }
}
