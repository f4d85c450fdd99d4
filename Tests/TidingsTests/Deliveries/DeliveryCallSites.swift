import TestSupport
import Tidings

// Calls that users write, on every kind of center. This file only has to compile.

private struct SubscriptionsChanged: TypedNotification {
    let sender: Account
    var subscribed: Set<Int> = []
}

private struct CacheCleared: TypedNotification {}

private actor Cache {
    func add(_ ids: Set<Int>) {}
}

@MainActor
private final class Counter: MessageConsumer {
    nonisolated init() {}
    func consume(_ message: Int) {}
}

@globalActor
private actor Disk {
    static let shared = Disk()
    static func clear() async {}
}

@Disk private func trim() {}

@MainActor
private final class View {
    var text = ""
    var tokens: [NotificationToken] = []

    func observe(_ center: some TypedNotificationCenter) {
        center.addObserver(self, on: .main, for: CacheCleared.self) { me, _ in me.text = "" }
        center.addObserver(on: .main, for: CacheCleared.self) { [weak self] _ in self?.text = "" }
            .store(in: &tokens)
        center.addObserver(on: .main, for: CacheCleared.self) { [weak self] _ in
            self?.text = ""
            self?.text += "cleared"
        }
        .store(in: &tokens)
        center.addObserver(self, on: .main, for: CacheCleared.self, buffering: .latest(1)) { me, _ in me.text = "" }
        center.addObserver(on: .main, for: CacheCleared.self) { [weak self] _ in self?.text = "" }.store(in: &tokens)
        center.addObserver(on: .task, for: CacheCleared.self) { @MainActor [weak self] _ in
            await Disk.clear()
            self?.text = "cleared"
        }
        .store(in: &tokens)
    }
}

private func observe(
    some: some TypedNotificationCenter, any: any TypedNotificationCenter, native: NativeNotificationCenter,
    cache: Cache, account: Account
) async {
    var tokens: [NotificationToken] = []

    some.addObserver(cache, on: .actor, for: SubscriptionsChanged.self) { cache, note in cache.add(note.subscribed) }
    any.addObserver(cache, on: .actor, for: SubscriptionsChanged.self) { cache, note in cache.add(note.subscribed) }
    native.addObserver(cache, on: .actor, for: SubscriptionsChanged.self) { cache, note in cache.add(note.subscribed) }
    native.addObserver(cache, on: .actor, for: SubscriptionsChanged.self, sender: account, buffering: .latest(1)) {
        cache, note in
        let ids = note.subscribed
        cache.add(ids)
    }

    some.addObserver(on: .task, for: CacheCleared.self) { _ in await Disk.clear() }.store(in: &tokens)
    any.addObserver(on: .task, for: CacheCleared.self) { @Disk _ in trim() }.store(in: &tokens)
    native.addObserver(on: .task, for: CacheCleared.self, buffering: .oldest(1)) { _ in }.store(in: &tokens)

    native.addObserver(on: .main, for: SubscriptionsChanged.self, sender: account) { _ in }.store(in: &tokens)
    any.addObserver(on: .main, for: CacheCleared.self) { _ in }.store(in: &tokens)

    for await note in some.notifications(of: SubscriptionsChanged.self, buffering: .latest(10)) { _ = note.subscribed }
    for await _ in any.notifications(of: SubscriptionsChanged.self, sender: account) {}
    for await _ in native.notifications(of: CacheCleared.self) {}

    let receipt = await some.deliver(CacheCleared())
    _ = receipt.isComplete
    await any.deliver(CacheCleared())
    await native.deliver(CacheCleared())

    _ = await some.first(of: CacheCleared.self)
    _ = await any.first(of: SubscriptionsChanged.self, where: { $0.subscribed.isEmpty })
    _ = await native.first(of: SubscriptionsChanged.self, sender: account, within: .seconds(1)) { note in
        note.subscribed.contains(1)
    }
    _ = await some.first(of: CacheCleared.self, performing: { some.post(CacheCleared()) })
    _ = await any.first(of: CacheCleared.self, within: .seconds(1), performing: { await Disk.clear() })

    _ = await native.notifications(of: CacheCleared.self).first(performing: { native.post(CacheCleared()) })

    let bus = MessageBus<Int>()
    bus.add(Counter(), on: .main)
    bus.add(Counter(), on: .main)

    await tokens[0].cancelAndDrain()
}
