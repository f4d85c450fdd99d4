import Dispatch
import TestSupport
import Tidings
import TidingsRelay
import TidingsTesting

/// Answers messages as the streams of a NATS server do.
final class MemoryStreams: Sendable {
    enum Answer: Sendable {
        case stores
        /// The stream stores the message and sends no answer.
        case storesSilently
        case isFull
        /// The stream reports the message as a duplicate of a message that isn't stored yet.
        case claims
        /// Like `claims`, with the answer of newer servers.
        case conflicts
        case refuses(String)
    }

    private struct State {
        var answers: [String: Answer] = [:]
        /// The sequence numbers of the stored messages, by identity.
        var numbers: [String: Int] = [:]
        var last = 0
        var subscription: (any AnyObject & Sendable)?
    }

    /// The stored messages, without duplicates.
    let stored = ReceivedValues<RelayMessage>()
    /// The arrived messages that have an identity, including duplicates.
    let arrived = ReceivedValues<RelayMessage>()
    private let link: any Link
    private let duplicateWindow: Duration
    private let state = Lock(State())
    /// A serial queue, so that answers are sent in the order in which they were decided, as a server sends them.
    private let queue = DispatchQueue(label: "MemoryStreams")

    init(_ server: MemoryServer, duplicateWindow: Duration = .zero) async throws {
        self.duplicateWindow = duplicateWindow
        link = try await server.connect { _ in }
        let subscription = try link.subscribe(">", group: nil) { [weak self, queue] message in
            queue.async { self?.receive(message) }
        }
        state.withLock { $0.subscription = subscription }
    }

    /// Sets the answer to messages whose subjects begin with `subject`. The longest such `subject` counts.
    func answer(_ subject: String, _ answer: Answer) { state.withLock { $0.answers[subject] = answer } }

    var ids: [String] { stored.values.compactMap { $0.header("Nats-Msg-Id") } }

    /// The identities of the messages that the streams still have, in the order of their numbers.
    var kept: [String] { state.withLock { $0.numbers.sorted { $0.value < $1.value }.map(\.key) } }

    /// Removes the last messages, as if the cluster had a new leader without them. Later messages reuse their numbers.
    func loseLast(_ count: Int) {
        state.withLock { state in
            state.last -= count
            let last = state.last
            state.numbers = state.numbers.filter { $0.value <= last }
        }
    }

    private func receive(_ message: RelayMessage) {
        guard let reply = message.reply else { return }
        if message.subject.hasPrefix("$JS.API.STREAM.INFO") {
            return say(
                reply,
                #"{"config":{"name":"S","subjects":["tidings.>"],"duplicate_window":\#(duplicateWindow.nanoseconds)}}"#)
        }
        guard let id = message.header("Nats-Msg-Id") else { return }
        let (answer, number, isNew) = state.withLock { state in
            let matching = state.answers.filter { message.subject.hasPrefix($0.key) }
            let answer = matching.max { $0.key.count < $1.key.count }?.value ?? .stores
            switch answer {
            case .stores, .storesSilently:
                if let number = state.numbers[id] { return (answer, number, false) }
                state.last += 1
                state.numbers[id] = state.last
                return (answer, state.last, true)
            default: return (answer, 0, false)
            }
        }
        // `arrived` is updated first, because a test may count the arrived messages as soon as all are stored or
        // answered.
        arrived.append(message)
        if isNew { stored.append(message) }
        switch answer {
        case .stores: say(reply, #"{"stream":"S","seq":\#(number)\#(isNew ? "" : #","duplicate":true"#)}"#)
        case .storesSilently: break
        case .isFull: say(reply, #"{"error":{"code":503,"err_code":10077,"description":"maximum messages exceeded"}}"#)
        case .claims: say(reply, #"{"stream":"S","seq":0,"duplicate":true}"#)
        case .conflicts:
            say(reply, #"{"error":{"code":409,"err_code":10158,"description":"duplicate message id is in process"}}"#)
        case .refuses(let why): say(reply, #"{"error":{"code":400,"err_code":10000,"description":"\#(why)"}}"#)
        }
    }

    private func say(_ subject: String, _ text: String) { _ = link.publish(RelayMessage(subject, text: text)) }
}
