import TestSupport
import Testing
import TidingsTesting

@testable import TidingsRelay

@Suite(.timeLimit(.minutes(2))) struct DeniedTests {
    private let link = MemoryLink(MemoryServer()) { _ in }
    private let fault = RelayFault(.permissionDenied, "Permissions Violation")

    /// Returns a buffer with one stored message and three messages in flight. A task awaits the last message.
    private func buffer(_ settled: ReceivedValues<String>) -> SendBuffer {
        var buffer = SendBuffer(.init(limit: 10, window: 10, patience: .seconds(5)))
        buffer.connect(link, at: .zero)
        for (number, subject) in ["a", "b", "a", "a"].enumerated() {
            let isIn = buffer.append(
                isAwaited: number == 3, at: .zero, { _ in RelayMessage(subject, text: "\(number)") },
                settle: { result in
                    let words = (try? result.get()).map { "stored as \($0)" } ?? "lost"
                    settled.append("\(number) \(words)")
                })
            #expect(isIn)
        }
        buffer.answer(0, .success(1), at: .zero)
        return buffer
    }

    private func deny(_ buffer: inout SendBuffer, at now: Duration) -> Bool { buffer.deny("a", fault, at: now) }

    /// Performs the `settle` actions, which complete messages. Returns the sent messages and the reported faults.
    private func act(_ buffer: inout SendBuffer) -> [String] {
        defer { buffer.actions = [] }
        return buffer.actions.compactMap { action in
            switch action {
            case .send(_, let message, _): return String(decoding: message.bytes, as: UTF8.self)
            case .report(let fault): return "\(fault.kind)"
            case .settle(let settle, let result):
                settle(result)
                return nil
            default: return nil
            }
        }
    }

    @Test
    func `without permission to publish, an awaited message fails at once, and others wait for the permission`() {
        let settled = ReceivedValues<String>()
        var buffer = buffer(settled)
        #expect(act(&buffer) == ["0", "1", "2", "3"] && settled.values == ["0 stored as 1"])
        #expect(deny(&buffer, at: .zero))
        #expect(act(&buffer) == ["permissionDenied"] && settled.values.last == "3 lost")
        // The server reports the violation once for each message in flight.
        #expect(deny(&buffer, at: .zero))
        #expect(act(&buffer) == [])
        buffer.answer(1, .success(2), at: .zero)
        buffer.tick(at: .milliseconds(300))
        #expect(act(&buffer) == ["2"])
        #expect(deny(&buffer, at: .milliseconds(300)))
        buffer.tick(at: .milliseconds(900))
        #expect(act(&buffer) == ["2"])
        buffer.answer(2, .success(3), at: .seconds(1))
        #expect(act(&buffer) == [] && settled.values.last == "2 stored as 3" && buffer.count == 0)
    }

    @Test func `posted notifications are lost if permission to publish is missing for longer than the timeout`() {
        let settled = ReceivedValues<String>()
        var buffer = buffer(settled)
        #expect(deny(&buffer, at: .zero))
        buffer.answer(1, .success(2), at: .zero)
        buffer.tick(at: .seconds(59))
        _ = act(&buffer)
        #expect(buffer.count == 1)
        buffer.tick(at: .seconds(60))
        #expect(act(&buffer) == [] && settled.values.last == "2 lost" && buffer.count == 0)
        #expect(!deny(&buffer, at: .seconds(61)))
    }
}
