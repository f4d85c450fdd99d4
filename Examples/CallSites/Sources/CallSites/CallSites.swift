import Foundation
import TidingsFoundation

@main
struct CallSites {
    static func main() async {
        let account = Account()
        await use(NativeNotificationCenter(), account)
        await use(NativeNotificationCenter.default, account)
        await use(NotificationCenter(), account)
        await useAny(NativeNotificationCenter(), account)
        withFoundation()
        withBus()
        print("Every call site compiles and runs.")
    }

    /// The call sites on `some` center.
    static func use(_ center: some TypedNotificationCenter, _ account: Account) async {
        var tokens = NotificationTokens()
        let token = center.addObserver(for: SubscriptionsChanged.self) { note in _ = note.subscribed }
        center.addObserver(for: SubscriptionsChanged.self, sender: account) { note in _ = note }.store(in: &tokens)
        token.cancel()

        let (table, cache, disk, screen) = (Table(), Cache(), Disk(), Screen())
        table.observe(center)
        center.addObserver(on: cache, for: SubscriptionsChanged.self) { cache, note in cache.add(note.subscribed) }
        await screen.observe(center)
        center.addObserver(on: .task, for: CacheCleared.self) { _ in await disk.clear() }.store(in: &tokens)

        let notes = center.notifications(of: SubscriptionsChanged.self, buffering: .latest(10))
        center.post(SubscriptionsChanged(sender: account, subscribed: [123]))
        for await note in notes {
            _ = note.subscribed
            break
        }
        _ = notes.droppedCount
        let receipt = await center.deliver(CacheCleared())
        precondition(receipt.isComplete)
        let first = await center.first(of: CacheCleared.self, where: { _ in true }) { center.post(CacheCleared()) }
        precondition(first != nil)
        for token in tokens.removeAll() { await token.cancelAndDrain() }
        withExtendedLifetime((table, cache, screen)) {}
    }

    /// Some of them on `any` center.
    static func useAny(_ center: any TypedNotificationCenter, _ account: Account) async {
        let token = center.addObserver(for: SubscriptionsChanged.self, sender: account) { _ in }
        center.post(SubscriptionsChanged(sender: account))
        await center.deliver(CacheCleared())
        await token.cancelAndDrain()

        let large = center.addObserver(for: SubscriptionsChanged.self, where: { $0.subscribed.count > 10 }) { _ in }
        center.addObserver(account, for: CacheCleared.self) { _, _ in }
        show(center)
        center.removeObservers(of: account)
        let notes = center.notifications(of: SubscriptionsChanged.self, CacheCleared.self)
        center.post(CacheCleared())
        for await note in notes {
            switch note {
            case let note as SubscriptionsChanged: _ = note.subscribed
            default: break
            }
            break
        }
        large.cancel()
    }

    static func show(_ center: any TypedNotificationCenter) { print(center.observations.table) }

    static func withFoundation() {
        var tokens = NotificationTokens()
        NotificationCenter.default.post(CacheCleared())
        NotificationCenter.default.addObserver(for: CacheCleared.self, queue: .main) { _ in }.store(in: &tokens)
        NotificationCenter.default.addObserver(descriptor: KeyboardNotification.willShow) { payload in
            _ = payload.endingFrame
        }
        .store(in: &tokens)
    }

    static func withBus() {
        let bus = MessageBus<AppMessage>()
        let (counter, tracker) = (ArticleCounter(), Tracker())
        bus.add(counter)
        bus.add(tracker)
        bus.dispatch(.article(7, .opened))
        bus.remove(counter)
        withExtendedLifetime((counter, tracker)) {}
    }
}
