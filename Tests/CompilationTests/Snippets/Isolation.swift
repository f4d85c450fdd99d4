extension Snippet {
    private static let mutatesCount = "main actor-isolated property 'count' can not be mutated"

    /// Observers can only use the state of their own isolation.
    static let mainActorState = [
        Snippet(
            "main-actor state used by an observer in the post", .error(mutatesCount),
            """
            func f(_ center: NativeNotificationCenter, _ model: Model) -> NotificationToken {
                center.addObserver(«|on: .main, »for: Ping.self) { _ in model.count += 1 }
            }
            """),
        Snippet(
            "main-actor state used by an observer in the post, on some center", .error(mutatesCount),
            """
            func f(_ center: some TypedNotificationCenter, _ model: Model) -> NotificationToken {
                center.addObserver(«|on: .main, »for: Ping.self) { _ in model.count += 1 }
            }
            """),
        Snippet(
            "main-actor state used by an observer in the post, on any center", .error(mutatesCount),
            """
            @MainActor func f(_ center: any TypedNotificationCenter, _ model: Model) -> NotificationToken {
                center.addObserver(«|on: .main, »for: Ping.self) { _ in model.count += 1 }
            }
            """),
        Snippet(
            "main-actor state used by an observer in the post, in generic code", .error(mutatesCount),
            """
            @MainActor func f<N: TypedNotification«|& Sendable»>(
                _ center: some TypedNotificationCenter, _ type: N.Type, _ model: Model
            ) -> NotificationToken {
                center.addObserver(«|on: .main, »for: type) { _ in model.count += 1 }
            }
            """),
        Snippet(
            "main-actor state used by an owner's observer in the post", .error(mutatesCount),
            """
            extension Model {
                func f(_ center: any TypedNotificationCenter) {
                    center.addObserver(self, «|on: .main, »for: Ping.self) { me, _ in me.count += 1 }
                }
            }
            """),
        Snippet(
            "main-actor state used by an actor's observer", .error(mutatesCount),
            """
            func f(_ center: any TypedNotificationCenter, _ store: Store, _ model: Model) -> NotificationToken {
                center.addObserver(store, on: .actor, for: Ping.self) { store, _ in «model|store».count += 1 }
            }
            """),
        Snippet(
            "main-actor state used by an observer in a task", .error(mutatesCount),
            """
            func f(_ center: any TypedNotificationCenter, _ model: Model) -> NotificationToken {
                center.addObserver(on: .task, for: Ping.self) { «|@MainActor »_ in model.count += 1 }
            }
            """),
        Snippet(
            "main-actor state used by a consumer of a bus", .error(mutatesCount),
            """
            «|@MainActor »final class Reader: MessageConsumer {
                let model: Model
                init(_ model: Model) { self.model = model }
                func consume(_ message: Message) { model.count += 1 }
            }
            """),
        Snippet(
            "an actor's state used by an observer in the post",
            .error("actor-isolated property 'count' can not be mutated from a Sendable closure"),
            """
            extension Store {
                func f(_ center: NativeNotificationCenter) -> NotificationToken {
                    center.addObserver(«|self, on: .actor, »for: Ping.self) { «|me, »_ in «self|me».count += 1 }
                }
            }
            """),
        Snippet(
            "a value that is not Sendable captured by an observer",
            .error("capture of 'view' with non-Sendable type 'View' in a '@Sendable' closure"),
            """
            «|@MainActor »func f(_ center: NativeNotificationCenter, _ view: View) -> NotificationToken {
                center.addObserver(for: «Ping|Shown».self) { _ in view.isShown = true }
            }
            """),
        Snippet(
            "an owner that is not Sendable", .error("type 'View' does not conform to the 'Sendable' protocol"),
            """
            func f(_ center: NativeNotificationCenter, _ owner: «View|Account») {
                center.addObserver(owner, for: Ping.self) { _, _ in }
            }
            """),
        Snippet(
            "a view that an observer passes to a task and then still uses",
            .error("passing closure as a 'sending' parameter risks causing data races"),
            """
            func f(_ center: NativeNotificationCenter) -> NotificationToken {
                center.addObserver(for: Held.self) { note in
                    «Task |»{ note.view.isShown = true }«|()»
                    note.view.isShown = false
                }
            }
            """),
    ]

    private static let isNotSendable = "type 'Held' does not conform to the 'Sendable' protocol"

    /// Notifications that an observer receives in an isolation other than the post's must be `Sendable`.
    static let sendability = [
        Snippet(
            "a non-Sendable notification delivered to an actor", .error(isNotSendable),
            """
            func f(_ center: NativeNotificationCenter, _ store: Store) -> NotificationToken {
                center.addObserver(store, on: .actor, for: «Held|Ping».self) { _, _ in }
            }
            """),
        Snippet(
            "a non-Sendable notification delivered to an actor, on any center", .error(isNotSendable),
            """
            func f(_ center: any TypedNotificationCenter, _ store: Store) -> NotificationToken {
                center.addObserver(store, on: .actor, for: «Held|Ping».self) { _, _ in }
            }
            """),
        Snippet(
            "a possibly non-Sendable notification delivered to an actor, in generic code",
            .error("type 'N' does not conform to the 'Sendable' protocol"),
            """
            func f<N: TypedNotification«|& Sendable»>(
                _ center: some TypedNotificationCenter, _ type: N.Type, _ store: Store
            ) -> NotificationToken {
                center.addObserver(store, on: .actor, for: type) { _, _ in }
            }
            """),
        Snippet(
            "a non-Sendable notification delivered to the main actor", .error(isNotSendable),
            """
            func f(_ center: some TypedNotificationCenter) -> NotificationToken {
                center.addObserver(on: .main, for: «Held|Ping».self) { _ in }
            }
            """),
        Snippet(
            "a non-Sendable notification delivered to an owner on the main actor", .error(isNotSendable),
            """
            func f(_ center: any TypedNotificationCenter, _ account: Account) {
                center.addObserver(account, on: .main, for: «Held|Ping».self) { _, _ in }
            }
            """),
        Snippet(
            "a non-Sendable notification delivered to a task", .error(isNotSendable),
            """
            func f(_ center: NativeNotificationCenter) -> NotificationToken {
                center.addObserver(on: .task, for: «Held|Ping».self) { _ in }
            }
            """),
        Snippet(
            "a non-Sendable notification delivered to a queue", .error(isNotSendable),
            """
            func f(_ center: NotificationCenter) -> NotificationToken {
                center.addObserver(for: «Held|Ping».self, queue: .main) { _ in }
            }
            """),
        Snippet(
            "a non-Sendable notification delivered to a sequence", .error(isNotSendable),
            """
            func f(_ center: any TypedNotificationCenter) async {
                for await _ in center.notifications(of: «Held|Ping».self) {}
            }
            """),
        Snippet(
            "a wait for the first notification of a non-Sendable type", .error(isNotSendable),
            "func f(_ center: some TypedNotificationCenter) async { _ = await center.first(of: «Held|Ping».self) }"),
        Snippet(
            "messages that are not Sendable", .error("type 'View' does not conform to the 'Sendable' protocol"),
            "func f() -> MessageBus<«View|Message»> { MessageBus() }"),
    ]
}
