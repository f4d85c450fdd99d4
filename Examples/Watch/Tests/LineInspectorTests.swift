import Testing
import TidingsTesting

@testable import watch

@Suite struct LineInspectorTests {
    private func messages(about bytes: [UInt8]) -> [String] {
        let messages = RecordingMessageProducer<Message>()
        var splitter = LineSplitter()
        let lines = splitter.lines(in: bytes, at: .now) + [splitter.lastLine(at: .now)].compactMap(\.self)
        for line in lines {
            LineInspector(messages: messages).inspect(OutputLine(sender: StandardInput(), line: line))
        }
        return messages.dispatched.map { "\($0)" }
    }

    @Test func `valid lines cause no remark`() {
        #expect(messages(about: Array("one\ntwo\n".utf8)) == [])
    }

    @Test func `each line that isn't UTF-8 is reported with its number, and so is a last line without a newline`() {
        #expect(
            messages(about: [0x61, 0x0A, 0xFF, 0x0A, 0xFE]) == [
                "line(watch.StreamName.output, watch.Message.Oddity.notUTF8(number: 2))",
                "line(watch.StreamName.output, watch.Message.Oddity.notUTF8(number: 3))",
                "line(watch.StreamName.output, watch.Message.Oddity.unterminated)",
            ])
    }
}
