import Testing

@testable import watch

@Suite struct LineSplitterTests {
    private static let time = ContinuousClock.now
    private static let bytes = Array("one\n\ntwo\r\nthree".utf8)
    private static let expected = ["one", "", "two\r", "three"]

    @Test func `lines are the same however the bytes are divided into chunks`() {
        for size in 1...Self.bytes.count {
            var splitter = LineSplitter()
            var lines: [Line] = []
            for start in stride(from: 0, to: Self.bytes.count, by: size) {
                lines += splitter.lines(in: Array(Self.bytes[start...].prefix(size)), at: Self.time)
            }
            lines += [splitter.lastLine(at: Self.time)].compactMap(\.self)
            #expect(lines.map(\.text) == Self.expected)
            #expect(lines.map(\.number) == [1, 2, 3, 4])
            #expect(lines.map(\.isTerminated) == [true, true, true, false])
            #expect(lines.map(\.byteCount) == [4, 1, 5, 5])
        }
    }

    @Test func `there is no last line after a newline`() {
        var splitter = LineSplitter()
        #expect(splitter.lines(in: Array("one\n".utf8), at: Self.time).count == 1)
        #expect(splitter.lastLine(at: Self.time) == nil)
    }

    @Test func `a line that isn't UTF-8 keeps its byte count and is marked`() {
        var splitter = LineSplitter()
        let lines = splitter.lines(in: [0x61, 0xFF, 0x0A, 0x62, 0x0A], at: Self.time)
        #expect(lines.map(\.text) == ["a\u{FFFD}", "b"])
        #expect(lines.map(\.isUTF8) == [false, true])
        #expect(lines.map(\.byteCount) == [3, 2])
    }
}
