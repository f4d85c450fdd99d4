extension Snippet {
    static let all = rightUses + mainActorPosts + isolation + types

    /// What is right compiles without a word. If this fails, the failures of the others mean nothing.
    private static let rightUses = [
        Snippet(
            "right uses compile", .nothing,
            """
            @MainActor final class Model {
                var count = 0
                var tokens: [NotificationToken] = []
                func observe(_ center: any TypedNotificationCenter, _ view: View) {
                    center.addObserver(for: WillShow.self) { note in
                        note.view.isShown = true
                        self.count += 1
                    }.store(in: &tokens)
                    center.addObserver(self, for: WillShow.self) { me, _ in me.count += 1 }
                    center.addObserver(self, on: MainActor.self, for: Ping.self) { me, _ in me.count += 1 }
                    center.post(WillShow(view: view))
                }
            }
            func observe(_ center: some TypedNotificationCenter, _ account: Account, _ store: Store) -> [NotificationToken] {
                center.post(Changed(sender: account))
                center.post(Held(view: View()))
                center.addObserver(account, for: Ping.self) { _, _ in }
                return [
                    center.addObserver(for: Changed.self, sender: account) { _ in },
                    center.addObserver(for: Held.self) { $0.view.isShown = true },
                    center.addObserver(on: store, for: Ping.self) { store, note in store.count += note.number },
                    center.addObserver(on: .task, for: Ping.self) { _ in await Task.yield() },
                ]
            }
            @MainActor func post<N: MainActorNotification>(_ note: N, _ center: NativeNotificationCenter) {
                center.post(note)
            }
            """)
    ]

    private static let offTheMainActor = "call to main actor-isolated instance method 'post'"

    private static let mainActorPosts = [
        Snippet(
            "a main-actor notification posted off the main actor, on the native center", .error(offTheMainActor),
            "func f(_ center: NativeNotificationCenter, _ view: View) { center.post(WillShow(view: view)) }"),
        Snippet(
            "a main-actor notification posted off the main actor, on some center", .error(offTheMainActor),
            "func f(_ center: some TypedNotificationCenter, _ view: View) { center.post(WillShow(view: view)) }"),
        Snippet(
            "a main-actor notification posted off the main actor, on any center", .error(offTheMainActor),
            "func f(_ center: any TypedNotificationCenter, _ view: View) { center.post(WillShow(view: view)) }"),
        Snippet(
            "a main-actor notification posted off the main actor, in generic code", .error(offTheMainActor),
            """
            func f<C: TypedNotificationCenter, N: MainActorNotification>(_ center: C, _ note: N) { center.post(note) }
            """),
        Snippet(
            "a main-actor notification posted off the main actor, as any", .error(offTheMainActor),
            """
            func f(_ center: NativeNotificationCenter, _ note: any MainActorNotification) { center.post(note) }
            """),
        Snippet(
            "a main-actor notification posted off the main actor, in an asynchronous function",
            .error("sending value of non-Sendable type 'WillShow' risks causing data races"),
            "func f(_ center: NativeNotificationCenter, _ view: View) async { await center.post(WillShow(view: view)) }"
        ),
        Snippet(
            "a main-actor notification posted inside an actor", .error(offTheMainActor),
            "extension Store { func f(_ center: NativeNotificationCenter) { center.post(WillShow(view: View())) } }"),
        Snippet(
            "a main-actor notification posted by an observer", .error(offTheMainActor),
            """
            func f(_ center: NativeNotificationCenter) -> NotificationToken {
                center.addObserver(for: Ping.self) { _ in center.post(WillShow(view: View())) }
            }
            """),
        Snippet(
            "a main-actor notification posted as a typed one",
            .error("global function 'post' requires that 'WillShow' conform to 'TypedNotification'"),
            """
            func post<N: TypedNotification>(_ note: N, _ center: NativeNotificationCenter) { center.post(note) }
            func f(_ center: NativeNotificationCenter, _ view: View) { post(WillShow(view: view), center) }
            """),
        Snippet(
            "a type that adopts both protocols",
            .error("type 'Both' does not conform to protocol 'NotificationContent'"),
            "struct Both: TypedNotification, MainActorNotification {}"),
    ]

    private static let isolation = [
        Snippet(
            "main-actor state touched by an observer in the post",
            .error("main actor-isolated property 'count' can not be mutated from a Sendable closure"),
            """
            @MainActor final class Model {
                var count = 0
                func f(_ center: NativeNotificationCenter) -> NotificationToken {
                    center.addObserver(for: Ping.self) { _ in self.count += 1 }
                }
            }
            """),
        Snippet(
            "main-actor state touched by an owned observer in the post",
            .error("main actor-isolated property 'count' can not be mutated from a Sendable closure"),
            """
            @MainActor final class Model {
                var count = 0
                func f(_ center: any TypedNotificationCenter) {
                    center.addObserver(self, for: Ping.self) { me, _ in me.count += 1 }
                }
            }
            """),
        Snippet(
            "main-actor state touched by an observer in a task",
            .error("main actor-isolated property 'count' can not be mutated from a Sendable closure"),
            """
            @MainActor final class Model {
                var count = 0
                nonisolated func f(_ center: any TypedNotificationCenter) -> NotificationToken {
                    center.addObserver(on: .task, for: Ping.self) { _ in self.count += 1 }
                }
            }
            """),
        Snippet(
            "an actor's state touched by an observer in the post",
            .error("actor-isolated property 'count' can not be mutated from a Sendable closure"),
            """
            extension Store {
                func f(_ center: NativeNotificationCenter) -> NotificationToken {
                    center.addObserver(for: Ping.self) { _ in self.count += 1 }
                }
            }
            """),
        Snippet(
            "what is not Sendable captured by an observer",
            .error("capture of 'view' with non-Sendable type 'View' in a '@Sendable' closure"),
            """
            func f(_ center: NativeNotificationCenter, _ view: View) -> NotificationToken {
                center.addObserver(for: Ping.self) { _ in view.isShown = true }
            }
            """),
        Snippet(
            "an owner that is not Sendable", .error("type 'View' does not conform to the 'Sendable' protocol"),
            """
            func f(_ center: NativeNotificationCenter, _ view: View) {
                center.addObserver(view, for: Ping.self) { view, _ in view.isShown = true }
            }
            """),
        Snippet(
            "a notification that is not Sendable, to an actor",
            .error("type 'Held' does not conform to the 'Sendable' protocol"),
            """
            func f(_ center: NativeNotificationCenter, _ store: Store) -> NotificationToken {
                center.addObserver(on: store, for: Held.self) { _, _ in }
            }
            """),
        Snippet(
            "a notification that is not Sendable, to the main actor",
            .error("type 'Held' does not conform to the 'Sendable' protocol"),
            """
            func f(_ center: NativeNotificationCenter) -> NotificationToken {
                center.addObserver(on: MainActor.self, for: Held.self) { _ in }
            }
            """),
        Snippet(
            "a notification that is not Sendable, to an owner on the main actor",
            .error("type 'Held' does not conform to the 'Sendable' protocol"),
            """
            func f(_ center: NativeNotificationCenter, _ account: Account) {
                center.addObserver(account, on: MainActor.self, for: Held.self) { _, _ in }
            }
            """),
        Snippet(
            "a notification that is not Sendable, to a task",
            .error("type 'Held' does not conform to the 'Sendable' protocol"),
            """
            func f(_ center: NativeNotificationCenter) -> NotificationToken {
                center.addObserver(on: .task, for: Held.self) { _ in }
            }
            """),
        Snippet(
            "a main-actor notification, to an actor", .error("requires that 'WillShow' conform to 'TypedNotification'"),
            """
            func f(_ center: NativeNotificationCenter, _ store: Store) -> NotificationToken {
                center.addObserver(on: store, for: WillShow.self) { _, _ in }
            }
            """),
        Snippet(
            "a view that left an observer and is used elsewhere",
            .error("passing closure as a 'sending' parameter risks causing data races"),
            """
            func f(_ center: NativeNotificationCenter) -> NotificationToken {
                center.addObserver(for: Held.self) { note in
                    Task { note.view.isShown = true }
                    note.view.isShown = false
                }
            }
            """),
    ]

    private static let unused = "result of call to"

    private static let types = [
        Snippet(
            "a discarded token, on the native center", .warning(unused),
            "func f(_ center: NativeNotificationCenter) { center.addObserver(for: Ping.self) { _ in } }"),
        Snippet(
            "a discarded token, on any center", .warning(unused),
            "func f(_ center: any TypedNotificationCenter) { center.addObserver(for: Ping.self) { _ in } }"),
        Snippet(
            "a discarded token of a main-actor observer", .warning(unused),
            "func f(_ center: some TypedNotificationCenter) { center.addObserver(for: WillShow.self) { _ in } }"),
        Snippet(
            "a discarded token of an observer on the main actor", .warning(unused),
            """
            func f(_ center: some TypedNotificationCenter) {
                center.addObserver(on: MainActor.self, for: Ping.self) { _ in }
            }
            """),
        Snippet(
            "a discarded token of an observer in a task", .warning(unused),
            "func f(_ center: some TypedNotificationCenter) { center.addObserver(on: .task, for: Ping.self) { _ in } }"),
        Snippet(
            "a sender of another type",
            .error("cannot convert value of type 'View' to expected argument type 'Account'"),
            """
            func f(_ center: NativeNotificationCenter, _ view: View) -> NotificationToken {
                center.addObserver(for: Changed.self, sender: view) { _ in }
            }
            """),
        Snippet(
            "a sender for a notification that has none",
            .error("cannot convert value of type 'Account' to expected argument type 'Void'"),
            """
            func f(_ center: NativeNotificationCenter, _ account: Account) -> NotificationToken {
                center.addObserver(for: Ping.self, sender: account) { _ in }
            }
            """),
        Snippet(
            "a property that the notification does not have", .error("value of type 'Ping' has no member 'text'"),
            """
            func f(_ center: NativeNotificationCenter) -> NotificationToken {
                center.addObserver(for: Ping.self) { note in print(note.text) }
            }
            """),
        Snippet(
            "a notification without its sender",
            .error("type 'Bare' does not conform to protocol 'NotificationContent'"),
            "struct Bare: TypedNotification { typealias Sender = Account }"),
        Snippet(
            "a token made from nothing", .error("'NotificationToken' initializer is inaccessible"),
            "func f() -> NotificationToken { NotificationToken() }"),
    ]
}
