// Every way to observe and to post, in one program.
import Foundation
import TidingsFoundation

struct CacheCleared: TypedNotification {}

final class Account: Sendable {}

struct SubscriptionsChanged: TypedNotification {
    let sender: Account
    var subscribed: Set<Int> = []
}

actor Cache {
    private var subscribed: Set<Int> = []
    func add(_ identifiers: Set<Int>) {
        subscribed.formUnion(identifiers)
        print("cached \(subscribed.sorted())")
    }
}

actor Disk {
    func clear() { print("The disk is clear.") }
}

enum AppMessage: Sendable {
    case article(id: Int, ArticleEvent)
    enum ArticleEvent { case opened }
}

actor Tracker: MessageConsumer {
    func consume(_ message: AppMessage) {}
}

@MainActor
final class View {}

struct WillShow: MainActorNotification { let view: View }

@MainActor
final class Screen {
    var label = "full"

    func observe(_ center: some TypedNotificationCenter) {
        center.addObserver(self, on: .main, for: CacheCleared.self) { me, _ in me.label = "" }
        center.addObserver(self, for: WillShow.self) { me, note in me.makeRoom(for: note.view) }
    }

    func makeRoom(for view: View) { print("made room") }
}

final class Table: Sendable {
    func observe(_ center: some TypedNotificationCenter) {
        center.addObserver(self, for: CacheCleared.self) { me, _ in me.reload() }
    }

    func reload() { print("reloaded") }

    func close(_ center: some TypedNotificationCenter) {
        center.removeObservers(of: self)  // ends its observers before it is deallocated
    }
}

func reload() {}

let center = NativeNotificationCenter()
let account = Account()
var tokens = NotificationTokens()

let table = Table()
let screen = Screen()
table.observe(center)
screen.observe(center)
center.post(CacheCleared())
// → reloaded
center.post(WillShow(view: View()))
// → made room

center.addObserver(for: CacheCleared.self) { _ in print("cleared") }.store(in: &tokens)

let disk = Disk()
center.addObserver(on: .task, for: CacheCleared.self) { _ in await disk.clear() }.store(in: &tokens)
let receipt = await center.deliver(CacheCleared())
// → reloaded
// → cleared
// → The disk is clear.
print("\(receipt.observers) observers, of which the label is now \"\(screen.label)\"")
// → 4 observers, of which the label is now ""

let cache = Cache()
center.addObserver(cache, on: .actor, for: SubscriptionsChanged.self) { cache, note in cache.add(note.subscribed) }
let changes = center.notifications(of: SubscriptionsChanged.self, buffering: .latest(10))
await center.deliver(SubscriptionsChanged(sender: account, subscribed: [123]))
// → cached [123]
// The loop goes on until its task is cancelled.
let loop = Task {
    for await note in changes { print(note.subscribed) }
}
loop.cancel()
await loop.value

center.addObserver(for: SubscriptionsChanged.self, where: { $0.subscribed.contains(123) }) { note in
    print(note.subscribed)
}
.store(in: &tokens)
await center.deliver(SubscriptionsChanged(sender: account, subscribed: [124]))
// → cached [123, 124]
let both = Task {
    for await note in center.notifications(of: SubscriptionsChanged.self, CacheCleared.self) {
        switch note {
        case let note as SubscriptionsChanged: print(note.subscribed)
        default: print("cleared")
        }
    }
}
both.cancel()
await both.value

table.close(center)

NotificationCenter.default.addObserver(for: CacheCleared.self, queue: .main) { _ in reload() }.store(in: &tokens)
NotificationCenter.default.post(CacheCleared())
NotificationCenter.default.addObserver(descriptor: KeyboardNotification.willShow) { payload in
    print(payload.endingFrame)
}
.store(in: &tokens)

let tracker = Tracker()
let bus = MessageBus<AppMessage>()
bus.add(tracker)
bus.dispatch(.article(id: 7, .opened))
