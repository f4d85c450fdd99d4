import Foundation
import TidingsFoundation

actor Cache {
    private var subscribed: Set<Int> = []
    func add(_ numbers: Set<Int>) { subscribed.formUnion(numbers) }
}

actor Disk {
    struct Full: Error {}
    func clear() {}
    func store(_ note: SubscriptionsChanged) async throws { throw Full() }
}

final class Table: Sendable {
    func reload() {}

    func observe(_ center: some TypedNotificationCenter) {
        center.addObserver(self, for: CacheCleared.self) { me, _ in me.reload() }
    }
}

@MainActor
final class Label {
    var text = "full"
}

@MainActor
final class Screen: KeyboardNotificationObserver {
    let label = Label()
    private var tokens: Set<NotificationToken> = []

    func observe(_ center: any TypedNotificationCenter) {
        let label = label
        center.addObserver(self, on: .main, for: CacheCleared.self) { me, _ in me.label.text = "" }
        center.addObserver(on: .main, for: CacheCleared.self) { _ in label.text = "" }.store(in: &tokens)
        center.addObserver(self, on: .main, for: CacheCleared.self) { me, _ in me.label.text = "" }
        center.addObserver(on: .main, for: CacheCleared.self) { _ in label.text = "" }.store(in: &tokens)
        center.addObserver(for: WillShow.self) { note in self.show(note.view) }.store(in: &tokens)
        center.post(WillShow(view: View()))
        registerKeyboardNotifications([.willShow, .willHide])
    }

    func show(_ view: View) {}
    func show(_ note: SubscriptionsChanged) async throws { await Task.yield() }

    func receivedKeyboardNotification(_ notification: KeyboardNotification, payload: KeyboardPayload) {}
}

final class ArticleCounter: MessageConsumer {
    func consume(_ message: AppMessage) {
        switch message {
        case .article(_, .opened): break
        case .article: break
        }
    }
}

actor Tracker: MessageConsumer {
    func consume(_ message: AppMessage) {}
}

@MainActor
final class Badge: MessageConsumer {
    private var count = 0
    func consume(_ message: AppMessage) { count += 1 }
}
