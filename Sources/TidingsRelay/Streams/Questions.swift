import Tidings

/// The requests to a server's interface for streams that have not been answered yet.
///
/// Nothing blocks: an answer comes as a message, to the inbox, with the number of its question.
final class Questions: Sendable {
    private typealias Asker = CheckedContinuation<Result<JSONMembers, RelayFault>, Never>

    private struct Question {
        let asker: Asker
        let link: any Link
        let message: RelayMessage
        var asked: Duration
        let end: Duration

        var subject: String { message.subject }

        /// Whether to ask a second time changes nothing.
        var isRead: Bool {
            subject.hasPrefix("$JS.API.") && (subject.contains(".INFO.") || subject.contains(".MSG.GET."))
        }
    }

    private struct State {
        var lastNumber: UInt64 = 0
        var open: [UInt64: Question] = [:]
    }

    private let state = Lock(State())
    private let inbox: String

    /// - Parameter inbox: The subject for answers, with its last dot; a part `q` with a number follows it.
    init(inbox: String) { self.inbox = inbox }

    /// Asks.
    ///
    /// A cluster that has no leader at the moment, as it starts or has lost one, answers nothing, then or later. So what only reads is asked
    /// again every other second.
    ///
    /// - Parameters:
    ///   - link: The link.
    ///   - subject: The subject of the request.
    ///   - body: The request.
    ///   - headers: Its headers.
    ///   - now: The time.
    /// - Returns: The answer.
    /// - Throws: A fault if there is no answer within ten seconds, or the link ends.
    func ask(
        _ link: any Link, _ subject: String, _ body: String, headers: [RelayMessage.Header] = [], at now: Duration
    ) async throws(RelayFault) -> JSONMembers {
        let result = await withCheckedContinuation { (asker: Asker) in
            let (number, message) = state.withLock { state in
                state.lastNumber += 1
                var message = RelayMessage(subject, reply: "\(inbox)q\(state.lastNumber)", text: body)
                message.headers = headers
                state.open[state.lastNumber] = Question(
                    asker: asker, link: link, message: message, asked: now, end: now + .seconds(10))
                return (state.lastNumber, message)
            }
            let outcome = link.publish(message)
            if outcome != .accepted {
                fail {
                    $0 == number
                } because: {
                    RelayFault(.connectionLost, subject: $0, "\(outcome)")
                }
            }
        }
        return try result.get()
    }

    /// What the fault says of a question that nobody listens to.
    static let nobody = "nobody answers"

    /// Takes an answer.
    func answer(_ number: UInt64, _ message: RelayMessage) {
        guard let question = state.withLock({ $0.open.removeValue(forKey: number) }) else { return }
        if let status = message.header("Status") {
            let detail = "\(Self.nobody) (\(status)); is JetStream enabled?"
            return question.asker.resume(returning: .failure(RelayFault(.rejected, subject: question.subject, detail)))
        }
        do throws(JSONMembers.Malformed) {
            question.asker.resume(returning: .success(try JSONMembers(message.body)))
        } catch {
            question.asker.resume(returning: .failure(RelayFault(.rejected, subject: question.subject, "\(error)")))
        }
    }

    /// Gives up what was not answered in time, and asks again what may have been heard by nobody.
    func tick(at now: Duration) {
        let again = state.withLock { state in
            let numbers = state.open.filter { $0.value.isRead && $0.value.asked + .seconds(2) <= now }.map(\.key)
            for number in numbers { state.open[number]?.asked = now }
            return numbers.compactMap { state.open[$0] }
        }
        // If the link has ended, who looks after it has the questions fail.
        for question in again { _ = question.link.publish(question.message) }
        let late = state.withLock { state in state.open.filter { $0.value.end < now }.map(\.key) }
        if late.isEmpty { return }
        fail(late.contains) { RelayFault(.rejected, subject: $0, "no answer within ten seconds") }
    }

    /// Gives up everything, as the link has ended.
    func fail() {
        fail { _ in
            true
        } because: {
            RelayFault(.connectionLost, subject: $0, "before the answer came")
        }
    }

    private func fail(_ isMeant: (UInt64) -> Bool, because fault: (String) -> RelayFault) {
        let numbers = state.withLock { $0.open.keys.map { $0 } }.filter(isMeant)
        for number in numbers {
            guard let question = state.withLock({ $0.open.removeValue(forKey: number) }) else { continue }
            question.asker.resume(returning: .failure(fault(question.subject)))
        }
    }
}
