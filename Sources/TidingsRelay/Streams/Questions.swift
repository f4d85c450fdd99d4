final class Questions: Sendable {
    private typealias Asker = CheckedContinuation<Result<JSONMembers, RelayFault>, Never>

    private struct Question {
        let asker: Asker
        let link: any Link
        let message: RelayMessage
        var asked: Duration
        let end: Duration

        var subject: String { message.subject }

        /// Whether the request changes nothing, so it can be repeated.
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

    /// Responses have the subject `inbox`, which ends with a dot, followed by the letter `q` and a number.
    init(inbox: String) { self.inbox = inbox }

    /// Sends a request, and returns the response. A cluster that is starting or has lost its leader never responds to a
    /// request that it receives in that state. Requests that only read are therefore repeated every two seconds.
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
            if outcome != .accepted { fail([number]) { RelayFault(.connectionLost, subject: $0, "\(outcome)") } }
        }
        return try result.get()
    }

    /// The beginning of the fault's detail if no server listens to the request's subject.
    static let nobody = "no server answers"

    func answer(_ number: UInt64, _ message: RelayMessage) {
        guard let question = state.withLock({ $0.open.removeValue(forKey: number) }) else { return }
        if let status = message.header("Status") {
            let detail = "\(Self.nobody) (\(status)); is JetStream enabled?"
            return question.asker.resume(returning: .failure(RelayFault(.rejected, subject: question.subject, detail)))
        }
        do throws(JSONMembers.Malformed) {
            question.asker.resume(returning: .success(try JSONMembers(message.bytes)))
        } catch {
            question.asker.resume(returning: .failure(RelayFault(.rejected, subject: question.subject, "\(error)")))
        }
    }

    func tick(at now: Duration) {
        let again = state.withLock { state in
            let numbers = state.open.filter { $0.value.isRead && $0.value.asked + .seconds(2) <= now }.map(\.key)
            for number in numbers { state.open[number]?.asked = now }
            return numbers.compactMap { state.open[$0] }
        }
        // The outcome isn't needed, because the relay fails all requests when the link ends.
        for question in again { _ = question.link.publish(question.message) }
        let late = state.withLock { state in state.open.filter { $0.value.end < now }.map(\.key) }
        fail(late) { RelayFault(.rejected, subject: $0, "no answer within ten seconds") }
    }

    func fail() {
        fail(state.withLock { Array($0.open.keys) }) {
            RelayFault(.connectionLost, subject: $0, "the connection ended before the answer arrived")
        }
    }

    private func fail(_ numbers: [UInt64], because fault: (String) -> RelayFault) {
        for number in numbers {
            guard let question = state.withLock({ $0.open.removeValue(forKey: number) }) else { continue }
            question.asker.resume(returning: .failure(fault(question.subject)))
        }
    }
}
