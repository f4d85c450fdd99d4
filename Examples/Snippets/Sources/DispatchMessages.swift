// A bus of messages: nested enums, a consumer that picks its messages, and a producer that a test can replace.
import Tidings

// snippet.messages
enum AppMessage: Sendable {
    case article(id: Int, ArticleEvent)
    case configuration(ConfigurationEvent)
    case user(UserEvent)
}

enum ArticleEvent: Sendable { case opened, closed, favourited(Bool) }
enum ConfigurationEvent: Sendable { case loaded(language: String), failed(reason: String) }
enum UserEvent: Sendable { case signedIn(name: String), signedOut }
// snippet.end

// snippet.consumer
actor Tracker: MessageConsumer {
    func consume(_ message: AppMessage) {
        switch message {
        case .article(let id, .opened): print("Article \(id) was opened.")
        case .configuration(.failed(let reason)): print("The configuration failed: \(reason).")
        case .user(.signedOut): end()
        default: break
        }
    }

    private var hasEnded = false
    private var waiting: CheckedContinuation<Void, Never>?

    private func end() {
        hasEnded = true
        waiting?.resume()
    }

    func waitForEnd() async {
        if !hasEnded { await withCheckedContinuation { waiting = $0 } }
    }
}
// snippet.end

// snippet.producer
struct ArticleView {
    let messages: any MessageProducer<AppMessage>

    func open(_ id: Int) { messages.dispatch(.article(id: id, .opened)) }
}
// snippet.end

// snippet.use
let bus = MessageBus<AppMessage>()
let tracker = Tracker()
bus.add(tracker)

bus.dispatch(.configuration(.failed(reason: "no network")))
// → The configuration failed: no network.
ArticleView(messages: bus).open(7)
// → Article 7 was opened.
bus.dispatch(.article(id: 7, .favourited(true)))
// snippet.end

bus.dispatch(.user(.signedOut))
await tracker.waitForEnd()
