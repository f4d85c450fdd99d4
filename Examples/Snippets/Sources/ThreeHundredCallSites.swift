// The idioms of programs that use NotificationCenter, in the order of their frequency, each before and after.
import Foundation
import TidingsFoundation
import TidingsTesting

struct Episode: Sendable {
    let uuid: String
    var title = ""
}

final class Log: Sendable {
    func write(_ line: String) { print(line) }
}

// snippet.names
extension Notification.Name {
    static let episodeAdded = Notification.Name("EpisodeAdded")
    static let episodeFinished = Notification.Name("EpisodeFinished")
}

// The type has the constant as its name, so classic code still posts and observes the same notification.
struct EpisodeAdded: BridgedNotification, Codable {
    static let name = Notification.Name.episodeAdded
    var title: String
}
// snippet.end

// snippet.value
// The object of the classic notification is a string. It is the sender.
struct EpisodeFinished: BridgedNotification, Codable {
    static let name = Notification.Name.episodeFinished
    @NotificationSender var sender: String
}
// snippet.end

struct FilterChanged: TypedNotification, Sendable { var text: String }
struct Progress: TypedNotification, Sendable { var share: Double }

// snippet.screenType
struct PlayerShown: MainActorBridgedNotification, Codable {
    static let name = Notification.Name("PlayerShown")
    var title: String
}
// snippet.end

// snippet.family
struct RequestChanged: BridgedNotification, NotificationFamily, Codable {
    enum Event: String, CaseIterable {
        case resumed = "RequestResumed"
        case cancelled = "RequestCancelled"
    }
    @FamilyEvent var event: Event
}
// snippet.end

// snippet.reply
/// Asks observers to handle a link. They answer through the notification, because a post returns no values from them.
struct LinkOpened: TypedNotification, Sendable {
    let link: String
    let handled: @Sendable (_ by: String) -> Void
}
// snippet.end

@MainActor
final class PlayerScreen {
    private(set) var title = ""
    private(set) var added: [String] = []

    // snippet.selectorAfter
    func observe(_ center: any TypedNotificationCenter) {
        center.addObserver(self, on: .main, for: EpisodeAdded.self) { me, note in me.episodeAdded(note) }
    }

    func episodeAdded(_ note: EpisodeAdded) { added.append(note.title) }
    // snippet.end

    // snippet.mainBefore
    func observeBefore(_ center: NotificationCenter) -> any NSObjectProtocol {
        center.addObserver(forName: Notification.Name("PlayerShown"), object: nil, queue: .main) { [weak self] note in
            let title = note.userInfo?["title"] as? String
            MainActor.assumeIsolated { self?.title = title ?? "" }
        }
    }
    // snippet.end

    // snippet.mainAfter
    func observeAfter(_ center: NotificationCenter) {
        center.addObserver(self, for: PlayerShown.self) { me, note in me.title = note.title }
    }
    // snippet.end

    // snippet.once
    func viewWillAppear(_ center: NotificationCenter) {
        center.unlessRegistered.addObserver(self, for: PlayerShown.self) { me, note in me.added.append(note.title) }
    }
    // snippet.end

    // snippet.removed
    func viewDidDisappear(_ center: NotificationCenter) {
        center.removeObservers(of: self, for: PlayerShown.self)
    }
    // snippet.end
}

let center = NotificationCenter()
var tokens = NotificationTokens()
let log = Log()

@MainActor
func posts() {
    let episode = Episode(uuid: "e1", title: "One")
    // snippet.postBefore
    center.post(name: .episodeAdded, object: nil, userInfo: ["title": episode.title])
    // snippet.end
    // snippet.postAfter
    center.post(EpisodeAdded(title: episode.title))
    // snippet.end
}

@MainActor
func comparison() {
    // snippet.compare
    expectSamePost(EpisodeAdded(title: "One")) { center in
        center.post(name: .episodeAdded, object: nil, userInfo: ["title": "One"])
    }
    // snippet.end
}

@MainActor
func reads() {
    // snippet.userInfoBefore
    let observer = center.addObserver(forName: .episodeAdded, object: nil, queue: nil) { note in
        guard let title = note.userInfo?["title"] as? String else { return }
        log.write("added \(title)")
    }
    // snippet.end
    // snippet.userInfoAfter
    center.addObserver(for: EpisodeAdded.self) { note in log.write("added \(note.title)") }.store(in: &tokens)
    // snippet.end
    posts()
    // snippet.removeBlock
    center.removeObserver(observer)
    // snippet.end
    for token in tokens.removeAll() { token.cancel() }
}

@MainActor
func values() {
    // snippet.objectBefore
    let observer = center.addObserver(forName: .episodeFinished, object: nil, queue: nil) { note in
        guard note.object as? String == "e1" else { return }
        log.write("e1 is finished")
    }
    // snippet.end
    // snippet.objectAfter
    center.addObserver(for: EpisodeFinished.self, sender: "e1") { _ in log.write("e1 is finished") }.store(in: &tokens)
    // snippet.end
    let episode = Episode(uuid: "e1")
    // snippet.valueBefore
    center.post(name: .episodeFinished, object: episode.uuid)
    // snippet.end
    // snippet.valueAfter
    center.post(EpisodeFinished(sender: episode.uuid))
    // snippet.end
    center.removeObserver(observer)
    for token in tokens.removeAll() { token.cancel() }
}

@MainActor
func workers() {
    let center = center
    let thread = Thread {
        // snippet.mainPost
        center.postOnMainThread(EpisodeAdded(title: "From a worker"))
        // snippet.end
    }
    thread.start()
}

@MainActor
func screens() {
    let screen = PlayerScreen()
    let observer = screen.observeBefore(center)
    center.post(PlayerShown(title: "Before"))
    print(screen.title)
    center.removeObserver(observer)
    screen.observeAfter(center)
    center.post(name: Notification.Name("PlayerShown"), object: nil, userInfo: ["title": "After"])
    print(screen.title)
    for _ in 1...3 { screen.viewWillAppear(center) }
    center.post(PlayerShown(title: "Once"))
    screen.viewDidDisappear(center)
    center.post(PlayerShown(title: "Gone"))
    print(screen.added)
}

@MainActor
func families() {
    // snippet.familyAfter
    center.addObserver(for: RequestChanged.self) { note in log.write("the request was \(note.event)") }
        .store(in: &tokens)
    // snippet.end
    center.post(name: Notification.Name("RequestCancelled"), object: nil)
    for token in tokens.removeAll() { token.cancel() }
}

@MainActor
func replies() {
    let center = NativeNotificationCenter()
    // snippet.replyAfter
    center.addObserver(for: LinkOpened.self, where: { $0.link.hasPrefix("feed:") }) { note in
        note.handled("the reader")
    }
    .store(in: &tokens)

    let handler = Handler()
    center.post(LinkOpened(link: "feed:a", handled: handler.note))
    print("handled by \(handler.name ?? "nobody")")
    // snippet.end
    let other = Handler()
    center.post(LinkOpened(link: "mail:b", handled: other.note))
    print("handled by \(other.name ?? "nobody")")
    for token in tokens.removeAll() { token.cancel() }
}

/// The answer of the first observer that handles a link.
final class Handler: @unchecked Sendable {  // the name is only accessed under the lock
    private let lock = NSLock()
    private var first: String?

    var name: String? { lock.withLock { first } }
    @Sendable func note(by name: String) { lock.withLock { if first == nil { first = name } } }
}

@MainActor
func latest() {
    // snippet.latest
    let session = NativeNotificationCenter(replaying: [.latest(of: FilterChanged.self)])
    session.post(FilterChanged(text: "new"))
    print(session.latest(of: FilterChanged.self)?.text ?? "none")
    // → new
    // snippet.end

    // snippet.one
    let token = session.addObserver(for: Progress.self) { note in print("\(Int(note.share * 100)) %") }
    session.post(Progress(share: 0.5), to: token)
    // → 50 %
    // snippet.end
    withExtendedLifetime(token) {}
}

@MainActor
func delegates() {
    let center = NativeNotificationCenter()
    // snippet.delegatesAfter
    center.addObserver(log, for: FilterChanged.self) { me, note in me.write("filter \(note.text)") }
    center.post(FilterChanged(text: "all"))
    // → filter all
    // snippet.end
}

latest()
delegates()
comparison()
reads()
// → added One
// → added One
// → added One
// → added One
values()
// → e1 is finished
// → e1 is finished
// → e1 is finished
// → e1 is finished
screens()
// → Before
// → After
// → ["Once"]
families()
// → the request was cancelled
replies()
// → handled by the reader
// → handled by nobody
