import Testing
import Tidings

@testable import TidingsRelay

@Suite(.timeLimit(.minutes(2))) struct PullReaderTests {
    let link = MemoryLink(MemoryServer()) { _ in }

    private func reader(limit: Int = 4, memory: Int = 100) -> PullReader {
        PullReader(stream: "S", consumer: "C", inbox: "_INBOX.x", limit: limit, memory: memory)
    }

    private func delivery(_ number: Int, count: Int = 1) throws -> StreamDelivery {
        try #require(StreamDelivery("$JS.ACK.S.C.\(count).\(number).\(number).0.0"))
    }

    /// Returns the sent requests and acknowledgements as text. The text of a request consists of its reply subject and
    /// the number of requested messages, and the text of an acknowledgement of its content and the message's number.
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

    @Test func `a reader requests as many messages as it has room for`() throws {
        var reader = reader()
        reader.connect(link, at: .zero)
        #expect(sent(&reader) == ["_INBOX.x.1 4"])
        for number in 1...4 { #expect(reader.take("\(number)", try delivery(number), at: .zero)) }
        #expect(sent(&reader) == [])
        reader.end("1", .done, at: .zero)
        #expect(sent(&reader) == ["+ACK 1", "_INBOX.x.2 1"])
        reader.end("1", .done, at: .zero)
        #expect(sent(&reader) == [])
        reader.stop(at: .zero)
        reader.end("2", .done, at: .zero)
        #expect(sent(&reader) == ["+ACK 2"])
    }

    @Test func `a copy of a completed message is acknowledged, and a copy of a message in progress isn't`() throws {
        var reader = reader()
        reader.connect(link, at: .zero)
        #expect(reader.take("a", try delivery(1), at: .zero))
        #expect(!reader.take("a", try delivery(1, count: 2), at: .zero))
        #expect(sent(&reader) == ["_INBOX.x.1 4", "_INBOX.x.2 1"])
        reader.end("a", .done, at: .zero)
        #expect(!reader.take("a", try delivery(2), at: .zero))
        #expect(sent(&reader).filter { !$0.hasPrefix("_") } == ["+ACK 1", "+ACK 2"])
    }

    @Test func `a message to be retried is accepted when its retry is due, and rejected earlier`() throws {
        var reader = reader()
        reader.connect(link, at: .zero)
        #expect(reader.take("a", try delivery(1), at: .zero))
        reader.end("a", .again(after: .milliseconds(1500)), at: .zero)
        #expect(sent(&reader).contains(#"-NAK {"delay":1500000000} 1"#))
        // A duplicate that was in transit arrives before the retry is due.
        #expect(!reader.take("a", try delivery(1, count: 2), at: .milliseconds(500)))
        #expect(sent(&reader).contains(#"-NAK {"delay":1000000000} 1"#))
        #expect(reader.take("a", try delivery(1, count: 3), at: .milliseconds(1500)))
        #expect(reader.attempt(1) == 2)
        reader.end("a", .never, at: .milliseconds(1500))
        #expect(sent(&reader).contains("+TERM 1"))
    }

    @Test func `a failure still counts after the message's next call has taken an hour`() throws {
        var reader = reader()
        reader.connect(link, at: .zero)
        #expect(reader.take("a", try delivery(1), at: .zero))
        reader.end("a", .again(after: .zero), at: .zero)
        #expect(reader.take("a", try delivery(1, count: 2), at: .zero))
        _ = reader.tick(at: .seconds(3600))
        #expect(reader.attempt(1) == 2)
    }

    @Test func `if a message has no observer, its copy goes back to the server`() throws {
        var reader = reader()
        reader.connect(link, at: .zero)
        #expect(reader.take("a", try delivery(1), at: .zero))
        #expect(!reader.take("a", try delivery(2), at: .zero))
        _ = sent(&reader)
        reader.putBack("a", at: .zero)
        reader.wait(1) {}
        #expect(sent(&reader) == ["-NAK 2"])
        // The server redelivers the copy, which is acknowledged after the message.
        #expect(reader.arrive(try delivery(2, count: 2), at: .zero))
        reader.wait(2) {}
        reader.open(at: .zero)
        #expect(handedOut(reader) == 2)
        #expect(begin(&reader, "a", 1))
        #expect(!begin(&reader, "a", 2))
        _ = sent(&reader)
        reader.end("a", .done, at: .zero)
        #expect(sent(&reader).filter { !$0.hasPrefix("_") } == ["+ACK 1", "+ACK 2"])
    }

    private func handedOut(_ reader: PullReader) -> Int {
        reader.actions.count { if case .handOut = $0 { true } else { false } }
    }

    private func begin(_ reader: inout PullReader, _ id: String, _ sequence: UInt64) -> Bool {
        reader.begin(id, sequence, at: .zero)
    }

    @Test func `waiting messages are reported to the server as in progress and handed out when there is room`() throws {
        var reader = PullReader(stream: "S", consumer: "C", inbox: "_INBOX.x", limit: 1, prefetchLimit: 2, memory: 9)
        reader.connect(link, at: .zero)
        for number in 1...3 {
            #expect(reader.arrive(try delivery(number), at: .zero))
            reader.wait(UInt64(number)) {}
        }
        #expect(handedOut(reader) == 1)
        #expect(sent(&reader) == ["_INBOX.x.1 3"])
        reader.keepAlive(at: .zero)
        #expect(sent(&reader).sorted() == ["+WPI 1", "+WPI 2", "+WPI 3"])
        // The duplicate of message 2 isn't handed out. When message 2 is done, the duplicate's delivery is
        // acknowledged.
        let duplicate = try delivery(2, count: 2)
        let isNew = reader.arrive(duplicate, at: .zero)
        #expect(!isNew)
        #expect(begin(&reader, "a", 1))
        reader.end("a", .done, at: .zero)
        #expect(handedOut(reader) == 1)
        #expect(begin(&reader, "b", 2))
        #expect(reader.attempt(2) == 1)
        reader.actions = []
        reader.end("b", .done, at: .zero)
        let subjects: [String] = reader.actions.compactMap { action in
            guard case .publish(_, let message) = action else { return nil }
            return message.subject
        }
        #expect(subjects.filter { $0.hasPrefix("$JS.ACK") } == [duplicate.acknowledgement])
    }

    @Test func `a message that must be handled alone waits for earlier messages, and later messages wait for it`()
        throws
    {
        var reader = reader()
        reader.connect(link, at: .zero)
        for number in 1...4 { #expect(reader.arrive(try delivery(number), at: .zero)) }
        reader.wait(1) {}
        reader.wait(2, isAlone: true) {}
        for number in 3...4 { reader.wait(UInt64(number)) {} }
        #expect(handedOut(reader) == 1)
        reader.actions = []
        #expect(begin(&reader, "a", 1))
        reader.end("a", .done, at: .zero)
        #expect(handedOut(reader) == 1)
        reader.actions = []
        #expect(begin(&reader, "b", 2))
        reader.end("b", .done, at: .zero)
        #expect(handedOut(reader) == 0)
        reader.goOn(after: 2, at: .zero)
        #expect(handedOut(reader) == 2)
    }

    @Test(arguments: [false, true])
    func `a reader that stops rejects the messages that it hasn't begun`(isShared: Bool) throws {
        var reader = PullReader(
            stream: "S", consumer: "C", inbox: "_INBOX.x", limit: 1, prefetchLimit: 3, memory: 9, isShared: isShared)
        reader.connect(link, at: .zero)
        for number in 1...3 {
            #expect(reader.arrive(try delivery(number), at: .zero))
            reader.wait(UInt64(number)) {}
        }
        #expect(begin(&reader, "a", 1))
        _ = sent(&reader)
        // While there is no link, another program may receive the waiting messages of a shared consumer. Therefore the
        // reader keeps them only if the consumer isn't shared.
        reader.disconnect()
        #expect(reader.fetched.count == (isShared ? 1 : 3))
        reader.connect(link, at: .zero)
        _ = sent(&reader)
        reader.stop(at: .zero)
        #expect(sent(&reader) == (isShared ? [] : ["-NAK 2", "-NAK 3"]))
        // This message answers a request that the server still had open.
        #expect(!reader.arrive(try delivery(4), at: .zero))
        #expect(sent(&reader) == ["-NAK 4"])
        reader.end("a", .done, at: .zero)
        #expect(sent(&reader) == ["+ACK 1"])
        #expect(reader.fetched.count == 0)
    }

    @Test func `a reader remembers the configured number of completed messages`() throws {
        var reader = reader(memory: 2)
        reader.connect(link, at: .zero)
        for id in ["a", "b", "c"] {
            #expect(reader.take(id, try delivery(1), at: .zero))
            reader.end(id, .done, at: .zero)
        }
        #expect(!reader.take("b", try delivery(1), at: .zero))
        #expect(!reader.take("c", try delivery(1), at: .zero))
        #expect(reader.take("a", try delivery(1), at: .zero))
        var forgetful = self.reader(memory: 0)
        for _ in 0..<2 {
            #expect(forgetful.take("a", try delivery(1), at: .zero))
            forgetful.end("a", .done, at: .zero)
        }
    }

    @Test func `a request is sent again if the server doesn't respond`() {
        var reader = reader()
        reader.connect(link, at: .zero)
        reader.requests.heard(at: .seconds(2))
        let early = reader.tick(at: .seconds(4))
        #expect(sent(&reader) == ["_INBOX.x.1 4"])
        let late = reader.tick(at: .seconds(6))
        #expect(!early && !late)
        #expect(sent(&reader) == ["_INBOX.x.2 4"])
        reader.ended(2, at: .seconds(6))
        #expect(sent(&reader) == ["_INBOX.x.3 4"])
    }

    @Test func `a consumer is reported missing after three requests without a response`() throws {
        var reader = reader()
        reader.connect(link, at: .zero)
        func missed(_ seconds: ClosedRange<Int>) -> [Int] { seconds.filter { reader.tick(at: .seconds($0)) } }
        #expect(missed(1...30) == [12, 24])
        // Silence doesn't count while a message is in progress, because an observer may block the receiving thread.
        #expect(reader.take("1", try delivery(1), at: .seconds(30)))
        #expect(missed(31...60) == [])
        reader.end("1", .done, at: .seconds(60))
        #expect(missed(61...80) != [])
    }

    @Test func `messages in progress are reported to the server, and nothing is sent without a link`() throws {
        var reader = reader()
        reader.connect(link, at: .zero)
        #expect(reader.take("a", try delivery(1), at: .zero))
        reader.keepAlive(at: .zero)
        #expect(sent(&reader).contains("+WPI 1"))
        reader.disconnect()
        reader.keepAlive(at: .zero)
        reader.end("a", .done, at: .zero)
        #expect(sent(&reader) == [])
        reader.connect(link, at: .zero)
        #expect(!reader.take("a", try delivery(1, count: 2), at: .zero))
        #expect(sent(&reader).contains("+ACK 1"))
    }

    @Test
    func `a group member that was suspended for too long begins no message that others may have received`()
        throws
    {
        var reader = PullReader(
            stream: "S", consumer: "C", inbox: "_INBOX.x", limit: 1, prefetchLimit: 2, memory: 9, isShared: true,
            patience: .seconds(5))
        func closes(_ reader: inout PullReader) -> Int {
            defer { reader.actions = [] }
            return reader.actions.count { if case .close = $0 { true } else { false } }
        }
        reader.connect(link, at: .zero)
        for number in 1...3 {
            #expect(reader.arrive(try delivery(number), at: .seconds(1)))
            reader.wait(UInt64(number)) {}
        }
        let began = reader.begin("a", 1, at: .seconds(1))
        reader.keepAlive(at: .seconds(2))
        let before = closes(&reader)
        // Nothing happens for six seconds. Messages in progress continue, but messages that waited or arrive late don't
        // begin.
        reader.end("a", .done, at: .seconds(8))
        let beganLate = reader.begin("b", 2, at: .seconds(8))
        #expect(!reader.arrive(try delivery(4), at: .seconds(8)))
        reader.keepAlive(at: .seconds(8))
        #expect(!reader.arrive(try delivery(5), at: .seconds(8)))
        let after = closes(&reader)
        #expect(began && !beganLate && before == 0 && after == 1 && reader.fetched.count == 0)
        reader.disconnect()
        reader.connect(link, at: .seconds(9))
        #expect(reader.take("b", try delivery(2, count: 2), at: .seconds(9)))
    }

    @Test func `a reader of an unshared consumer continues with its messages however long it was suspended`() throws {
        var reader = reader()
        reader.connect(link, at: .zero)
        #expect(reader.arrive(try delivery(1), at: .zero))
        reader.wait(1) {}
        reader.keepAlive(at: .seconds(60))
        let begins = reader.begin("a", 1, at: .seconds(120))
        #expect(begins)
        #expect(reader.take("b", try delivery(2), at: .seconds(180)))
    }
}

extension PullReader {
    /// Passes a message to the reader, and begins the message if the reader accepts it. Returns whether it has begun.
    fileprivate mutating func take(_ id: String, _ delivery: StreamDelivery, at now: Duration) -> Bool {
        guard arrive(delivery, at: now) else { return false }
        wait(delivery.sequence) {}
        return begin(id, delivery.sequence, at: now)
    }
}
