import TestSupport
import Testing
import Tidings

@testable import watch

/// Stands in for the bus.
private struct Recorder: MessageProducer {
    let log = Log<String>()
    func dispatch(_ message: Message) { log.append("\(message)") }
}

@Suite struct InspectorTests {
    private func messages(about bytes: [UInt8]) -> [String] {
        let recorder = Recorder()
        var splitter = LineSplitter()
        let lines = splitter.lines(in: bytes, at: .now) + [splitter.lastLine(at: .now)].compactMap(\.self)
        for line in lines {
            Inspector(messages: recorder).inspect(OutputLine(sender: StandardInput(), line: line))
        }
        return recorder.log.values
    }

    @Test func `nothing is said about lines that are in order`() {
        #expect(messages(about: Array("one\ntwo\n".utf8)) == [])
    }

    @Test func `each line that is not UTF-8 is told with its number, and a last line without a newline is`() {
        #expect(
            messages(about: [0x61, 0x0A, 0xFF, 0x0A, 0xFE]) == [
                "line(watch.StreamName.output, watch.Message.Oddity.notUTF8(number: 2))",
                "line(watch.StreamName.output, watch.Message.Oddity.notUTF8(number: 3))",
                "line(watch.StreamName.output, watch.Message.Oddity.unterminated)",
            ])
    }
}
