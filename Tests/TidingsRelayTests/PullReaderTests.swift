import Testing
import Tidings

@testable import TidingsRelay

@Suite struct PullReaderTests {
    let link = MemoryLink(MemoryServer()) { _ in }

    private func reader(limit: Int = 4, memory: Int = 100) -> PullReader {
        PullReader(stream: "S", consumer: "C", inbox: "_INBOX.x", limit: limit, memory: memory)
    }

    private func delivery(_ number: Int, count: Int = 1) throws -> StreamDelivery {
        try #require(StreamDelivery("$JS.ACK.S.C.\(count).\(number).\(number).0.0"))
    }

    /// What was sent: how many messages were asked for, or the acknowledgement with the number in the stream.
    private func sent(_ reader: inout PullReader) -> [String] {
        defer { reader.actions = [] }
        return reader.actions.compactMap { action in
            guard case .publish(_, let message) = action else { return nil }
            let text = String(decoding: message.body, as: UTF8.self)
            if message.subject == "$JS.API.CONSUMER.MSG.NEXT.S.C" {
                let batch = text.firstMatch(of: /"batch":(\d+)/)?.output.1 ?? "?"
                return "\(message.reply ?? "") \(batch)"
            }
            return "\(text) \(message.subject.split(separator: ".")[5])"
        }
    }

    @Test func `it asks for as many as there is room for`() throws {
        var reader = reader()
        reader.connect(link, at: .zero)
        #expect(sent(&reader) == ["_INBOX.x.1 4"])
        for number in 1...4 { #expect(reader.begin("\(number)", try delivery(number), at: .zero)) }
        #expect(sent(&reader) == [])
        reader.end("1", .done, at: .zero)
        #expect(sent(&reader) == ["+ACK 1", "_INBOX.x.2 1"])
        reader.end("1", .done, at: .zero)
        #expect(sent(&reader) == [])
        reader.stop()
        reader.end("2", .done, at: .zero)
        #expect(sent(&reader) == ["+ACK 2"])
    }

    @Test func `a copy of what is done with is acknowledged, and of what is in progress is not`() throws {
        var reader = reader()
        reader.connect(link, at: .zero)
        #expect(reader.begin("a", try delivery(1), at: .zero))
        #expect(!reader.begin("a", try delivery(1, count: 2), at: .zero))
        #expect(sent(&reader) == ["_INBOX.x.1 4", "_INBOX.x.2 1"])
        reader.end("a", .done, at: .zero)
        #expect(!reader.begin("a", try delivery(2), at: .zero))
        #expect(sent(&reader).filter { !$0.hasPrefix("_") } == ["+ACK 1", "+ACK 2"])
        #expect(reader.duplicates == 2)
    }

    @Test func `what is to be tried again is new when it comes`() throws {
        var reader = reader()
        reader.connect(link, at: .zero)
        #expect(reader.begin("a", try delivery(1), at: .zero))
        reader.end("a", .again(after: .milliseconds(1500)), at: .zero)
        #expect(sent(&reader).contains(#"-NAK {"delay":1500000000} 1"#))
        #expect(reader.begin("a", try delivery(1, count: 2), at: .zero))
        reader.end("a", .never, at: .zero)
        #expect(sent(&reader).contains("+TERM 1"))
    }

    @Test func `as many are remembered as was said`() throws {
        var reader = reader(memory: 2)
        reader.connect(link, at: .zero)
        for id in ["a", "b", "c"] {
            #expect(reader.begin(id, try delivery(1), at: .zero))
            reader.end(id, .done, at: .zero)
        }
        #expect(!reader.begin("b", try delivery(1), at: .zero))
        #expect(!reader.begin("c", try delivery(1), at: .zero))
        #expect(reader.begin("a", try delivery(1), at: .zero))
        var forgetful = self.reader(memory: 0)
        for _ in 0..<2 {
            #expect(forgetful.begin("a", try delivery(1), at: .zero))
            forgetful.end("a", .done, at: .zero)
        }
    }

    @Test func `a request of which nothing is heard is made again`() {
        var reader = reader()
        reader.connect(link, at: .zero)
        reader.heard(at: .seconds(2))
        let early = reader.tick(at: .seconds(4))
        #expect(sent(&reader) == ["_INBOX.x.1 4"])
        let late = reader.tick(at: .seconds(6))
        #expect(!early && !late)
        #expect(sent(&reader) == ["_INBOX.x.2 4"])
        reader.ended(2, at: .seconds(6))
        #expect(sent(&reader) == ["_INBOX.x.3 4"])
    }

    @Test func `a consumer of which nothing is heard, three requests long, is missed`() throws {
        var reader = reader()
        reader.connect(link, at: .zero)
        /// The seconds in which it is missed.
        func missed(_ seconds: ClosedRange<Int>) -> [Int] { seconds.filter { reader.tick(at: .seconds($0)) } }
        #expect(missed(1...30) == [12, 24])
        // What is in progress may hold up the thread on which the reader hears.
        #expect(reader.begin("1", try delivery(1), at: .seconds(30)))
        #expect(missed(31...60) == [])
        reader.end("1", .done, at: .seconds(60))
        #expect(missed(61...80) != [])
    }

    @Test func `what is in progress is kept alive, and without a link nothing is sent`() throws {
        var reader = reader()
        reader.connect(link, at: .zero)
        #expect(reader.begin("a", try delivery(1), at: .zero))
        reader.keepAlive()
        #expect(sent(&reader).contains("+WPI 1"))
        reader.disconnect()
        reader.keepAlive()
        reader.end("a", .done, at: .zero)
        #expect(sent(&reader) == [])
        reader.connect(link, at: .zero)
        #expect(!reader.begin("a", try delivery(1, count: 2), at: .zero))
        #expect(sent(&reader).contains("+ACK 1"))
    }
}
