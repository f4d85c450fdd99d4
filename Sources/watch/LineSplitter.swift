/// Cuts a stream of bytes, which comes in chunks, into lines.
struct LineSplitter {
    private static let newline = UInt8(ascii: "\n")

    /// The line that has no newline yet.
    private var unfinished: [UInt8] = []
    private var count = 0

    /// Takes a chunk and returns the lines that it completes.
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

    /// Returns what was left without a newline when the stream ended, if anything was.
    mutating func lastLine(at time: ContinuousClock.Instant) -> Line? {
        unfinished.isEmpty ? nil : takeLine(isTerminated: false, at: time)
    }

    private mutating func takeLine(isTerminated: Bool, at time: ContinuousClock.Instant) -> Line {
        defer { unfinished.removeAll(keepingCapacity: true) }
        count += 1
        return Line(number: count, unfinished, isTerminated: isTerminated, time: time)
    }
}
