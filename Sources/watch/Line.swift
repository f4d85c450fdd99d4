/// One line of a stream, as it came.
struct Line: Hashable, Sendable {
    /// Which line of its stream it is, from 1 on.
    let number: Int

    /// The characters of the line, without the newline. What is not UTF-8 is replaced by U+FFFD.
    let text: String

    /// How many bytes the line had, the newline included.
    let byteCount: Int

    /// Whether the bytes were UTF-8, so that ``text`` is all of them.
    let isUTF8: Bool

    /// Whether the line ended with a newline. Only the last line of a stream may lack it.
    let isTerminated: Bool

    /// When the line was read.
    let time: ContinuousClock.Instant

    /// Makes a line of its bytes.
    init(number: Int, _ bytes: some Collection<UInt8>, isTerminated: Bool, time: ContinuousClock.Instant) {
        self.number = number
        let valid = String(validating: bytes, as: UTF8.self)
        text = valid ?? String(decoding: bytes, as: UTF8.self)
        byteCount = bytes.count + (isTerminated ? 1 : 0)
        isUTF8 = valid != nil
        self.isTerminated = isTerminated
        self.time = time
    }
}
