import TestSupport
import Tidings

@testable import TidingsRelay

/// Answers a relay's requests about streams on the in-process server. All streams exist, with the expected consumers.
final class StreamAnswers: Sendable {
    typealias Answer = @Sendable (_ request: String, _ body: JSONMembers?) -> String?

    let server = MemoryServer()
    private let link: any Link
    private let subscriptions: [any AnyObject & Sendable]
    private let answers: Answers

    private final class Answers: Sendable {
        let answer: Lock<[Answer]>
        /// The answers that ``hold(_:until:)`` holds back, and the number of requests that are still to come.
        let held = Lock((prefix: "", left: 0, answers: [RelayMessage]()))
        init(_ answer: @escaping Answer) { self.answer = Lock([answer]) }
    }

    /// `answer` receives the subject of a request, without `$JS.API.`, and the body. If it returns `nil`, the default
    /// answer is sent. If it returns an empty string, no answer is sent.
    init(_ answer: @escaping Answer) async throws {
        let link = try await server.connect { _ in }
        let answers = Answers(answer)
        self.answers = answers
        self.link = link
        // Confirms that a record about a consumer is stored.
        let notes = try link.subscribe("tidings-note.>", group: nil) { message in
            if let reply = message.reply { _ = link.publish(RelayMessage(reply, text: #"{"stream":"NOTES","seq":1}"#)) }
        }
        let questions = try link.subscribe("$JS.API.>", group: nil) { message in
            guard let reply = message.reply else { return }
            let request = String(message.subject.dropFirst("$JS.API.".count))
            let answer = answers.answer.withLock { $0[0] }
            if request.hasPrefix("CONSUMER.MSG.NEXT") {
                // This answer confirms the request. Without the answer, the relay would report the consumer as missing
                // after some seconds.
                _ = link.publish(RelayMessage(reply, headers: [.init("Status", "100")]))
            }
            let text = answer(request, try? JSONMembers(message.body)) ?? Self.usual(request)
            if text.isEmpty { return }
            let due = answers.held.withLock { held in
                guard held.left > 0, request.hasPrefix(held.prefix) else { return [RelayMessage(reply, text: text)] }
                held.left -= 1
                held.answers.append(RelayMessage(reply, text: text))
                return held.left == 0 ? held.answers : []
            }
            for answer in due { _ = link.publish(answer) }
        }
        subscriptions = [notes, questions]
    }

    func change(_ answer: @escaping Answer) { answers.answer.withLock { $0 = [answer] } }

    /// Holds the answers to the first `count` requests with a prefix, and sends them together.
    func hold(_ prefix: String, until count: Int) {
        answers.held.withLock { $0 = (prefix, count, []) }
    }

    private static func usual(_ request: String) -> String {
        if request.hasPrefix("CONSUMER.MSG.NEXT") { return "" }
        if request.hasPrefix("STREAM.MSG.GET") { return #"{"error":{"code":404,"description":"none"}}"# }
        return """
            {"config":{"subjects":[">"],"max_age":0,"max_bytes":-1,"max_msgs":-1,"discard":"old"},
            "state":{"messages":0,"subjects":{}},"num_pending":0,"num_ack_pending":0}
            """
    }
}
