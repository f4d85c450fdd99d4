// An app for the oldest systems. It uses every delivery, a sequence and `deliver`, and is compiled but not run.

import Tidings

struct Saved: TypedNotification {
    var sender: Store
    var count: Int
}

final class Store: Sendable {}

@globalActor actor Disk {
    static let shared = Disk()
}

@Disk func write(_ count: Int) {}

actor Cache {
    private var counts: [Int] = []
    func keep(_ count: Int) { counts.append(count) }

    func observe(_ center: NativeNotificationCenter) -> NotificationToken {
        center.addObserver(self, on: .actor, for: Saved.self) { cache, saved in cache.keep(saved.count) }
    }
}

@MainActor final class Screen {
    var count = 0

    func observe(_ center: NativeNotificationCenter) -> [NotificationToken] {
        [
            center.addObserver(self, on: .main, for: Saved.self) { screen, saved in screen.count = saved.count },
            center.addObserver(on: .main, for: Saved.self) { print($0.count) },
            center.addObserver(for: Saved.self) { print($0.count) },
        ]
    }

    @available(macOS 15, *)
    func observeInTasks(_ center: NativeNotificationCenter) -> [NotificationToken] {
        [
            center.addObserver(on: .task, for: Saved.self) { await write($0.count) },
            center.addObserver(on: .task, for: Saved.self) { @Disk in write($0.count) },
        ]
    }

    func follow(_ center: NativeNotificationCenter) async {
        for await saved in center.notifications(of: Saved.self) { count = saved.count }
    }
}

func post(_ store: Store, to center: NativeNotificationCenter) async {
    center.post(Saved(sender: store, count: 1))
    _ = await center.deliver(Saved(sender: store, count: 2))
}
