/// What is worth a remark: the messages of the program's bus.
enum Message: Sendable {
    /// A line of a stream is odd.
    case line(StreamName, Oddity)
    /// Everything was read; there are no further messages.
    case ended

    /// What may be odd about a line.
    enum Oddity: Sendable {
        /// It is not UTF-8; its number within the stream is told, from 1 on.
        case notUTF8(number: Int)
        /// It is the last one, and has no newline.
        case unterminated
    }
}
