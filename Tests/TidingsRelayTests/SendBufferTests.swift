import Testing
import Tidings

@testable import TidingsRelay

@Suite struct SendBufferTests {
    let server = MemoryServer()
    var link: MemoryLink { MemoryLink(server) { _ in } }
    private let gone = RelayFault(.rejected, "no stream stores this subject")
    private let full = RelayFault(.streamFull, "maximum messages exceeded")

    private func add(_ numbers: Range<Int>, to buffer: inout SendBuffer, settled: SettledMessages = SettledMessages()) {
        for number in numbers {
            let isIn = buffer.append(at: .zero) {
                RelayMessage("\(number)", reply: "\($0)")
            } settle: {
                settled.add(number, $0)
            }
            #expect(isIn)
        }
    }

    private func sent(_ buffer: inout SendBuffer) -> [String] {
        defer { buffer.actions = [] }
        return buffer.actions.compactMap { action in
            switch action {
            case .send(_, let message, _): return message.subject
            case .settle(let settle, let result): settle(result)
            case .resume(let continuation): continuation.resume()
            case .report(let fault): return "full: \(fault.subject ?? "")"
            case .missStream(_, let message, _, let number): return "no stream for \(message.subject), \(number)"
            }
            return nil
        }
    }

    @Test func `after the first message is answered, as many messages are in flight as the window permits`() {
        var buffer = SendBuffer(.init(limit: 10, window: 3, patience: .seconds(5)))
        add(0..<5, to: &buffer)
        #expect(sent(&buffer) == [])
        buffer.connect(link, at: .zero)
        #expect(sent(&buffer) == ["0"])
        buffer.answer(0, .success(1), at: .zero)
        #expect(sent(&buffer) == ["1", "2", "3"])
        // Answers may arrive in any order.
        buffer.answer(2, .success(3), at: .zero)
        #expect(sent(&buffer) == ["4"] && buffer.count == 3)
        buffer.answer(1, .success(2), at: .zero)
        #expect(sent(&buffer) == [] && buffer.count == 2)
    }

    @Test func `an unavailable stream is reported missing repeatedly, at the interval set by patience`() {
        var buffer = SendBuffer(.init(limit: 10, window: 10, patience: .seconds(5)))
        buffer.connect(link, at: .zero)
        add(0..<2, to: &buffer)
        #expect(sent(&buffer) == ["0", "1"])
        var missed: [Int] = []
        for second in 1...13 {
            buffer.postpone(0, .absent, gone, at: .seconds(second))
            if sent(&buffer) == ["no stream for 0, 0"] { missed.append(second) }
            buffer.tick(at: .seconds(second) + .milliseconds(300))
            #expect(sent(&buffer) == ["0"])
        }
        #expect(missed == [6, 11])
        // An answer or a new link restarts the time after which the stream is reported missing.
        buffer.answer(0, .success(1), at: .seconds(14))
        buffer.postpone(1, .absent, gone, at: .seconds(17))
        buffer.disconnect()
        buffer.connect(link, at: .seconds(20))
        buffer.postpone(1, .absent, gone, at: .seconds(24))
        #expect(sent(&buffer).allSatisfy { $0 == "1" })
    }

    @Test func `a new link sends all unanswered messages again, in order`() {
        var buffer = SendBuffer(.init(limit: 10, window: 10, patience: .seconds(5)))
        let settled = SettledMessages()
        buffer.connect(link, at: .zero)
        add(0..<4, to: &buffer, settled: settled)
        #expect(sent(&buffer) == ["0", "1", "2", "3"])
        buffer.answer(1, .success(1), at: .zero)
        buffer.disconnect()
        add(4..<5, to: &buffer, settled: settled)
        #expect(sent(&buffer) == [])
        buffer.connect(link, at: .zero)
        #expect(sent(&buffer) == ["0"])
        buffer.answer(0, .success(2), at: .zero)
        #expect(sent(&buffer) == ["2", "3", "4"])
        for number in 2..<5 { buffer.answer(UInt64(number), .success(9), at: .zero) }
        #expect(sent(&buffer) == [] && buffer.count == 0)
        #expect(settled.numbers == [1, 0, 2, 3, 4])
        // Answers to settled and to unknown messages have no effect.
        buffer.answer(4, .success(9), at: .zero)
        buffer.answer(99, .success(9), at: .zero)
        #expect(buffer.actions.isEmpty)
    }

    @Test func `while the stream is unavailable, one message at a time is sent as a test`() {
        var buffer = SendBuffer(.init(limit: 10, window: 10, patience: .seconds(5)))
        buffer.connect(link, at: .zero)
        add(0..<3, to: &buffer)
        #expect(sent(&buffer) == ["0", "1", "2"])
        for number: UInt64 in 0..<3 { buffer.postpone(number, .absent, gone, at: .zero) }
        buffer.tick(at: .milliseconds(100))
        #expect(sent(&buffer) == [])
        buffer.tick(at: .milliseconds(300))
        #expect(sent(&buffer) == ["0"])
        buffer.postpone(0, .absent, gone, at: .milliseconds(300))
        buffer.tick(at: .milliseconds(600))
        #expect(sent(&buffer) == ["0"])
        buffer.answer(0, .success(1), at: .milliseconds(600))
        #expect(sent(&buffer) == ["1", "2"])
    }

    @Test func `messages without an answer are sent again after a while`() {
        var buffer = SendBuffer(.init(limit: 10, window: 10, patience: .seconds(5)))
        buffer.connect(link, at: .zero)
        add(0..<2, to: &buffer)
        #expect(sent(&buffer) == ["0", "1"])
        buffer.tick(at: .seconds(4))
        #expect(sent(&buffer) == [])
        buffer.tick(at: .seconds(6))
        #expect(sent(&buffer) == ["0"])
        buffer.answer(0, .success(1), at: .seconds(6))
        #expect(sent(&buffer) == ["1"])
    }

    @Test func `messages in flight to a lost leader are sent again before later messages that were rejected`() {
        var buffer = SendBuffer(.init(limit: 10, window: 10, patience: .seconds(5)))
        buffer.connect(link, at: .zero)
        add(0..<6, to: &buffer)
        #expect(sent(&buffer) == ["0", "1", "2", "3", "4", "5"])
        // The first three messages get no answer, and the others are answered as if the stream were unavailable.
        for number: UInt64 in 3..<6 { buffer.postpone(number, .absent, gone, at: .zero) }
        buffer.tick(at: .milliseconds(300))
        #expect(sent(&buffer) == ["0"])
        buffer.answer(0, .success(1), at: .milliseconds(300))
        #expect(sent(&buffer) == ["1", "2", "3", "4", "5"])
        // If the first copy of a message was stored after all, its late answer completes the message as usual.
        for number: UInt64 in 1..<6 { buffer.answer(number, .success(1), at: .milliseconds(300)) }
        #expect(buffer.count == 0)
    }

    @Test func `a message without an answer is sent again even while later ones are answered`() {
        var buffer = SendBuffer(.init(limit: 100, window: 10, patience: .seconds(5)))
        buffer.connect(link, at: .zero)
        add(0..<1, to: &buffer)
        #expect(sent(&buffer) == ["0"])
        var again: [Int] = []
        for second in 1...20 {
            add(second..<second + 1, to: &buffer)
            buffer.answer(UInt64(second), .success(1), at: .seconds(second))
            buffer.tick(at: .seconds(second))
            buffer.tick(at: .seconds(second) + .milliseconds(500))
            if sent(&buffer).contains("0") { again.append(second) }
        }
        #expect(again.first.map { $0 < 8 } == true && again.count > 1, "\(again)")
        buffer.answer(0, .success(1), at: .seconds(21))
        _ = sent(&buffer)
        for number: UInt64 in 1...20 { buffer.answer(number, .success(1), at: .seconds(21)) }
        #expect(buffer.count == 0)
    }

    @Test func `a message that the server doesn't permit doesn't hold up the others`() {
        var buffer = SendBuffer(.init(limit: 5000, window: 2, patience: .seconds(5)))
        let settled = SettledMessages()
        buffer.connect(link, at: .zero)
        add(0..<3, to: &buffer, settled: settled)
        #expect(sent(&buffer) == ["0", "1"])
        let isMeant = buffer.deny("0", RelayFault(.permissionDenied, ""), at: .zero)
        #expect(isMeant)
        #expect(sent(&buffer) == ["2"] && settled.failures == [0])
        // With this many messages, the buffer compacts its storage while `close` removes them.
        add(3..<5000, to: &buffer, settled: settled)
        buffer.close(RelayFault(.stopped, ""))
        #expect(sent(&buffer).isEmpty && buffer.count == 0 && settled.failures.count == 5000)
        add(5000..<5001, to: &buffer, settled: settled)
        #expect(sent(&buffer).isEmpty && settled.failures.last == 5000)
    }

    private func add(
        _ numbers: Range<Int>, of stream: String, to buffer: inout SendBuffer, waits: Bool = true,
        settled: SettledMessages = SettledMessages()
    ) {
        for number in numbers {
            let isIn = buffer.append(to: Destination(stream: stream, waitsWhenFull: waits), at: .zero) {
                RelayMessage("\(number)", reply: "\($0)")
            } settle: {
                settled.add(number, $0)
            }
            #expect(isIn)
        }
    }

    @Test func `a full stream gets one test message after each pause, pauses double, and other streams continue`() {
        var buffer = SendBuffer(.init(limit: 100, window: 10, patience: .seconds(60)))
        buffer.connect(link, at: .zero)
        add(0..<2, of: "A", to: &buffer)
        add(2..<4, of: "B", to: &buffer)
        #expect(sent(&buffer) == ["0", "1", "2", "3"])
        buffer.postpone(0, .full, full, at: .zero)
        buffer.postpone(1, .full, full, at: .zero)
        #expect(sent(&buffer) == ["full: 0"])
        for number: UInt64 in 2...3 { buffer.answer(number, .success(number), at: .zero) }
        add(4..<5, of: "A", to: &buffer)
        add(5..<6, of: "B", to: &buffer)
        #expect(sent(&buffer) == ["5"])
        buffer.answer(5, .success(5), at: .zero)
        var tried: [Int] = []
        for tick in 1...1000 {
            let now = Duration.milliseconds(100) * tick
            buffer.tick(at: now)
            if sent(&buffer) == ["0"] {
                tried.append(tick)
                buffer.postpone(0, .full, full, at: now)
            }
            #expect(sent(&buffer) == [])
        }
        #expect(tried.prefix(5) == [3, 8, 18, 38, 78])
        #expect(zip(tried, tried.dropFirst()).allSatisfy { $1 - $0 <= 100 } && tried.count > 10)
        buffer.tick(at: .seconds(200))
        #expect(sent(&buffer) == ["0"])
        buffer.answer(0, .success(1), at: .seconds(200))
        #expect(sent(&buffer) == ["1", "4"])
    }

    @Test func `messages of a route that doesn't wait for room are rejected when the stream is full`() {
        var buffer = SendBuffer(.init(limit: 100, window: 10, patience: .seconds(5)))
        buffer.connect(link, at: .zero)
        let settled = SettledMessages()
        add(0..<3, of: "A", to: &buffer, waits: false, settled: settled)
        #expect(sent(&buffer) == ["0", "1", "2"])
        for number: UInt64 in 0...2 { buffer.postpone(number, .full, full, at: .zero) }
        #expect(sent(&buffer) == [] && settled.failures == [0, 1, 2] && buffer.count == 0)
    }

    @Test func `stored messages take no room in the buffer, even if an earlier message still waits`() {
        var buffer = SendBuffer(.init(limit: 10, window: 10, patience: .seconds(60)))
        buffer.connect(link, at: .zero)
        add(0..<1, of: "A", to: &buffer)
        buffer.postpone(0, .full, full, at: .zero)
        _ = sent(&buffer)
        for number in 1...10_000 {
            add(number..<number + 1, of: "B", to: &buffer)
            #expect(sent(&buffer) == ["\(number)"])
            buffer.answer(UInt64(number), .success(UInt64(number)), at: .zero)
            _ = sent(&buffer)
        }
        #expect(buffer.count == 1)
        buffer.tick(at: .seconds(1))
        #expect(sent(&buffer) == ["0"])
    }

    @Test func `a buffer has a limit in bytes, and a larger message is accepted if it is the only one`() {
        var buffer = SendBuffer(.init(limit: 100, byteLimit: 1000, window: 10, patience: .seconds(5)))
        func append(_ size: Int) -> Bool {
            let message = RelayMessage("", bytes: [UInt8](repeating: 0, count: size))
            return buffer.append(at: .zero, { _ in message }, settle: { _ in })
        }
        #expect(append(5000))
        #expect(!append(0) && !append(1))
        buffer.connect(link, at: .zero)
        buffer.answer(0, .success(1), at: .zero)
        #expect(append(600) && !append(401) && append(400))
        #expect(buffer.bytes == 1000)
        buffer.close(RelayFault(.stopped, ""))
        #expect(buffer.bytes == 0)
    }

    @Test func `a full buffer accepts no message until there is room`() {
        var buffer = SendBuffer(.init(limit: 2, window: 2, patience: .seconds(5)))
        buffer.connect(link, at: .zero)
        add(0..<2, to: &buffer)
        let isIn = buffer.append(at: .zero, { _ in RelayMessage("2") }, settle: { _ in })
        #expect(!isIn)
        buffer.answer(0, .success(1), at: .zero)
        add(2..<3, to: &buffer)
    }

    @Test func `the fault of a dropped message that waited alone uses the singular`() {
        var buffer = SendBuffer(.init(limit: 1, dropsOldest: true, window: 2, patience: .seconds(5)))
        add(0..<2, to: &buffer)
        let details = buffer.actions.compactMap { action -> String? in
            guard case .settle(_, .failure(let fault)) = action else { return nil }
            return fault.detail
        }
        #expect(details == ["1 notification waits to be stored, and this one is the oldest, so it is dropped"])
    }

    @Test func `a full buffer that drops its oldest message reports it as failed and sends the others`() {
        var buffer = SendBuffer(.init(limit: 3, dropsOldest: true, window: 2, patience: .seconds(5)))
        let settled = SettledMessages()
        add(0..<5, to: &buffer, settled: settled)
        #expect(sent(&buffer) == [] && settled.failures == [0, 1] && buffer.count == 3)
        buffer.connect(link, at: .zero)
        #expect(sent(&buffer) == ["2"])
        // The oldest message is dropped even while it alone is in flight. Its answer then comes too late.
        add(5..<6, to: &buffer, settled: settled)
        #expect(sent(&buffer) == ["3"] && settled.failures == [0, 1, 2])
        buffer.answer(2, .success(1), at: .zero)
        #expect(sent(&buffer) == [] && settled.numbers == [0, 1, 2])
        buffer.answer(3, .success(2), at: .zero)
        #expect(sent(&buffer) == ["4", "5"] && settled.numbers == [0, 1, 2, 3])
    }
}

final class SettledMessages: Sendable {
    private let state = Lock<[(number: Int, isFailure: Bool)]>([])

    func add(_ number: Int, _ result: Result<UInt64, RelayFault>) {
        let isFailure = if case .failure = result { true } else { false }
        state.withLock { $0.append((number, isFailure)) }
    }

    var numbers: [Int] { state.withLock { $0.map(\.number) } }
    var failures: [Int] { state.withLock { $0.filter(\.isFailure).map(\.number) } }
}
