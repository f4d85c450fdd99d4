import TestSupport
import Tidings

@testable import TidingsRelay

/// Answers what a relay asks of the server in the process about streams: all of them are there, with consumers as they should be.
final class StreamAnswers: Sendable {
    typealias Answer = @Sendable (_ request: String, _ body: JSONMembers?) -> String?

    let server = MemoryServer()
    private let link: any Link
    private let subscription: any AnyObject & Sendable
    private let answers: Answers

    private final class Answers: Sendable {
        let answer: Lock<[Answer]>
        init(_ answer: @escaping Answer) { self.answer = Lock([answer]) }
    }

    /// - Parameter answer: The answer to a request, without `$JS.API.`; `nil` for the usual one, and an empty text for none.
    init(_ answer: @escaping Answer) async throws {
        let link = try await server.connect { _ in }
        let answers = Answers(answer)
        self.answers = answers
        self.link = link
        subscription = try link.subscribe("$JS.API.>", group: nil) { message in
            guard let reply = message.reply else { return }
            let request = String(message.subject.dropFirst("$JS.API.".count))
            let answer = answers.answer.withLock { $0[0] }
            let text = answer(request, try? JSONMembers(message.body)) ?? Self.usual(request)
            if !text.isEmpty { _ = link.publish(RelayMessage(reply, text: text)) }
        }
    }

    /// Answers otherwise from now on.
    func change(_ answer: @escaping Answer) { answers.answer.withLock { $0 = [answer] } }

    private static func usual(_ request: String) -> String {
        if request.hasPrefix("CONSUMER.MSG.NEXT") { return "" }
        if request.hasPrefix("STREAM.MSG.GET") { return #"{"error":{"code":404,"description":"none"}}"# }
        return #"{"config":{"subjects":[">"]},"state":{"messages":0,"subjects":{}},"num_pending":0,"num_ack_pending":0}"#
    }
}
