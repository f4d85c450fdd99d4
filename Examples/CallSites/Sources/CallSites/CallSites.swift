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
        await inAServer(NativeNotificationCenter())
        print("Every call site compiles and runs.")
    }

    /// Calls on `some TypedNotificationCenter`.
    static func use(_ center: some TypedNotificationCenter, _ account: Account) async {
        var tokens = NotificationTokens()
        let token = center.addObserver(for: SubscriptionsChanged.self) { note in _ = note.subscribed }
        center.addObserver(for: SubscriptionsChanged.self, sender: account) { note in _ = note }.store(in: &tokens)
        token.cancel()

        let (table, cache, disk, screen) = (Table(), Cache(), Disk(), Screen())
        table.observe(center)
        center.addObserver(cache, on: .actor, for: SubscriptionsChanged.self) { cache, note in
            cache.add(note.subscribed)
        }
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

    /// Calls on `any TypedNotificationCenter`.
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

    /// Observers that await and throw, a shutdown that loses nothing, and late subscribers.
    static func inAServer(_ center: any TypedNotificationCenter) async {
        let (disk, screen, bus, tracker) = (Disk(), Screen(), MessageBus<AppMessage>(), Tracker())
        let (group, queue) = (ObserverGroup("orders"), DispatchQueue(label: "orders"))
        center.addObserver(disk, on: .actor, for: SubscriptionsChanged.self) { me, note in try await me.store(note) }
        center.addObserver(screen, on: .main, for: SubscriptionsChanged.self) { me, note in try await me.show(note) }
        center.addObserver(disk, on: .actor, for: CacheCleared.self, onFailure: .end) { me, _ in me.clear() }.store(
            in: group)
        center.addObserver(on: .queue(queue), for: CacheCleared.self, onFailure: .call { error in print(error) }) { _ in
        }
        .store(in: group)
        group.add(tracker, to: bus)

        let receipt = await center.deliver(SubscriptionsChanged(sender: Account()), within: .seconds(60))
        precondition(receipt.failures.first?.error is Disk.Full && receipt.unfinished.isEmpty)
        precondition(receipt.failures.first?.place != nil)
        center.post(ConnectionChanged(isOnline: true))
        let late = center.addObserver(for: ConnectionChanged.self) { note in precondition(note.isOnline) }

        var left = await center.drain(within: .seconds(60))
        precondition(left.first?.place == nil)
        let waiting = await group.finish(within: .seconds(60))
        left = await center.finish(within: .seconds(60))
        let consumers = await bus.finish(within: .seconds(60))
        precondition(left.isEmpty && waiting.isEmpty && consumers.isEmpty && center.post(CacheCleared()) == 0)
        withExtendedLifetime((late, screen, disk)) {}
    }

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
