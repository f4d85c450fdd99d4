extension Snippet {
    private static let synchronous = "to parameter expecting synchronous function type"

    static let deliveries = [
        Snippet(
            "an observer that awaits on an operation queue", .error(synchronous),
            """
            func f(_ center: NotificationCenter) -> NotificationToken {
                center.addObserver(«for: Ping.self, queue: .main|on: .task, for: Ping.self») { _ in await Task.yield() }
            }
            """),
        Snippet(
            "main-actor state used off the main actor", .error("main actor-isolated property 'count'"),
            """
            func f(_ center: NotificationCenter, _ model: Model) -> NotificationToken {
                center.addObserver(«for: Ping.self, queue: .main|on: .main, for: Ping.self») { _ in model.count += 1 }
            }
            """),
        Snippet(
            "an observer limited to a sender that its type lacks", .error("cannot convert value of type 'Account'"),
            """
            func f(_ center: any TypedNotificationCenter, _ store: Store, _ account: Account) {
                center.addObserver(store, on: .actor, for: «Ping|Changed».self, sender: account) { store, _ in store.count += 1 }
            }
            """),
        Snippet(
            "an asynchronous observer limited to a shared sender that is not Sendable",
            .error("risks causing data races"),
            """
            struct Drawn: TypedNotification, @unchecked Sendable { let sender: «View|Account» }
            func f(_ center: any TypedNotificationCenter, _ sender: «View|Account») -> NotificationToken {
                center.addObserver(on: .main, for: Drawn.self, sender: sender) { _ in }
            }
            """),
        Snippet(
            "a main-actor consumer isolated only by its module's default",
            .error("stored property 'count' of 'Sendable'-conforming class 'Badge' is mutable"),
            options: ["-default-isolation", "MainActor"],
            """
            «|@MainActor »final class Badge: MessageConsumer {
                var count = 0
                func consume(_ message: Message) { count += 1 }
            }
            func f(_ bus: MessageBus<Message>, _ badge: Badge) { bus.add(badge, on: .main) }
            """),
    ]
}
