import Tidings

/// One line of a stream.
struct Line: Hashable, Sendable {
    /// The number of the line in its stream, starting at 1.
    let number: Int

    /// The characters of the line, without the newline. Bytes that aren't UTF-8 are replaced by U+FFFD.
    let text: String

    /// The number of bytes in the line, including the newline.
    let byteCount: Int

    /// Whether the bytes were valid UTF-8, so that ``text`` is complete.
    let isUTF8: Bool

    /// Whether the line ended with a newline. Only the last line of a stream can lack it.
    let isTerminated: Bool

    /// The time at which the line was read.
    let time: ContinuousClock.Instant

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

/// The stream of a source.
enum StreamName: String, Sendable {
    case output
    case errors
}

protocol LineNotification: TypedNotification, Sendable where Sender == any LineSource {
    /// The stream to which the line belongs.
    static var stream: StreamName { get }

    var line: Line { get }

    init(sender: any LineSource, line: Line)
}

/// A source wrote a line to its output.
struct OutputLine: LineNotification {
    static let stream = StreamName.output
    let sender: any LineSource
    let line: Line
}

/// A source wrote a line to its errors.
struct ErrorLine: LineNotification {
    static let stream = StreamName.errors
    let sender: any LineSource
    let line: Line
}

/// Splits a stream of bytes, which arrives in chunks, into lines.
struct LineSplitter {
    private static let newline = UInt8(ascii: "\n")

    private var unfinished: [UInt8] = []
    private var count = 0

    mutating func lines(in chunk: [UInt8], at time: ContinuousClock.Instant) -> [Line] {
        var lines: [Line] = []
        var rest = chunk[...]
        while let end = rest.firstIndex(of: Self.newline) {
            unfinished.append(contentsOf: rest[..<end])
            lines.append(takeLine(isTerminated: true, at: time))
            rest = rest[(end + 1)...]
        }
        unfinished.append(contentsOf: rest)
        return lines
    }

    /// Returns the rest of a stream that ended without a newline.
    mutating func lastLine(at time: ContinuousClock.Instant) -> Line? {
        unfinished.isEmpty ? nil : takeLine(isTerminated: false, at: time)
    }

    private mutating func takeLine(isTerminated: Bool, at time: ContinuousClock.Instant) -> Line {
        defer { unfinished.removeAll(keepingCapacity: true) }
        count += 1
        return Line(number: count, unfinished, isTerminated: isTerminated, time: time)
    }
}
