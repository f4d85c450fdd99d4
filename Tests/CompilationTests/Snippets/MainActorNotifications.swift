extension Snippet {
    static let all =
        mainActorPosts + mainActorDeliveries + mainActorState + sendability + tokens + senders + descriptors + types
        + deliveries

    private static let offTheMainActor = "call to main actor-isolated instance method 'post(_:fileID:line:)'"

    static let mainActorPosts = [
        Snippet(
            "a main-actor notification posted off the main actor, on the native center", .error(offTheMainActor),
            "«|@MainActor» func f(_ center: NativeNotificationCenter, _ view: View) { center.post(WillShow(view: view)) }"
        ),
        Snippet(
            "a main-actor notification posted off the main actor, on Foundation's center", .error(offTheMainActor),
            "«|@MainActor» func f(_ center: NotificationCenter, _ view: View) { center.post(WillShow(view: view)) }"),
        Snippet(
            "a main-actor notification posted off the main actor, on some center", .error(offTheMainActor),
            """
            «|@MainActor» func f(_ center: some TypedNotificationCenter, _ view: View) { center.post(WillShow(view: view)) }
            """),
        Snippet(
            "a main-actor notification posted off the main actor, on any center", .error(offTheMainActor),
            """
            «|@MainActor» func f(_ center: any TypedNotificationCenter, _ view: View) { center.post(WillShow(view: view)) }
            """),
        Snippet(
            "a main-actor notification posted off the main actor, in generic code", .error(offTheMainActor),
            """
            «|@MainActor» func f<C: TypedNotificationCenter, N: MainActorNotification>(_ center: C, _ note: N) {
                center.post(note)
            }
            """),
        Snippet(
            "a Sendable main-actor notification posted off the main actor", .error(offTheMainActor),
            "«|@MainActor» func f(_ center: NativeNotificationCenter) { center.post(Shown()) }"),
        Snippet(
            "a main-actor notification posted off the main actor, as an existential", .error(offTheMainActor),
            """
            «|@MainActor» func f(_ center: NativeNotificationCenter, _ note: any MainActorNotification) {
                center.post(note)
            }
            """),
        Snippet(
            "a main-actor notification posted off the main actor, in an asynchronous function",
            .error("sending value of non-Sendable type 'WillShow' risks causing data races"),
            """
            func f(_ center: NativeNotificationCenter, _ view: «|sending »View) async {
                await center.post(WillShow(view: view))
            }
            """),
        Snippet(
            "a main-actor notification posted inside an actor", .error(offTheMainActor),
            """
            extension Store {
                «|@MainActor »func f(_ center: NativeNotificationCenter) { center.post(WillShow(view: View())) }
            }
            """),
        Snippet(
            "a main-actor notification posted by an observer", .error(offTheMainActor),
            """
            func f(_ center: NativeNotificationCenter) -> NotificationToken {
                center.addObserver(«|on: .main, »for: Ping.self) { _ in center.post(WillShow(view: View())) }
            }
            """),
        Snippet(
            "a main-actor notification posted by a consumer of a bus", .error(offTheMainActor),
            """
            «|@MainActor »final class Reader: MessageConsumer {
                let center = NativeNotificationCenter()
                func consume(_ message: Message) { center.post(WillShow(view: View())) }
            }
            """),
        Snippet(
            "a main-actor notification posted as a TypedNotification",
            .error("global function 'post' requires that 'WillShow' conform to 'TypedNotification'"),
            """
            func post<N: TypedNotification>(_ note: N, _ center: NativeNotificationCenter) { center.post(note) }
            func f(_ center: NativeNotificationCenter, _ view: View) { post(«WillShow|Held»(view: view), center) }
            """),
        Snippet(
            "a type that is both a typed and a main-actor notification",
            .error("type 'Both' does not conform to protocol 'NotificationContent'"),
            "struct Both: TypedNotification«, MainActorNotification|» {}"),
    ]

    /// The isolation of `deliver`, `notifications(of:)` and `first(of:)` for main-actor notifications.
    static let mainActorDeliveries = [
        Snippet(
            "a main-actor notification delivered off the main actor, on the native center",
            .error("sending value of non-Sendable type 'WillShow' risks causing data races"),
            """
            «|@MainActor »func f(_ center: NativeNotificationCenter, _ view: View) async {
                await center.deliver(WillShow(view: view))
            }
            """),
        Snippet(
            "a main-actor notification delivered off the main actor, on any center",
            .error("sending value of non-Sendable type 'WillShow' risks causing data races"),
            """
            «|@MainActor »func f(_ center: any TypedNotificationCenter, _ view: View) async {
                await center.deliver(WillShow(view: view))
            }
            """),
        Snippet(
            "a main-actor notification delivered off the main actor, in generic code",
            .error("sending 'note' risks causing data races"),
            """
            «|@MainActor »func f<N: MainActorNotification>(_ center: some TypedNotificationCenter, _ note: N) async {
                await center.deliver(note)
            }
            """),
        Snippet(
            "a main-actor notification delivered inside an actor",
            .error("sending value of non-Sendable type 'WillShow' risks causing data races"),
            """
            «actor|@MainActor final class» Keeper {
                let view = View()
                func f(_ center: NativeNotificationCenter) async { await center.deliver(WillShow(view: view)) }
            }
            """),
        Snippet(
            "a sequence of main-actor notifications that are not Sendable",
            .error("type 'WillShow' does not conform to the 'Sendable' protocol"),
            """
            @MainActor func f(_ center: NativeNotificationCenter) async {
                for await _ in center.notifications(of: «WillShow|Shown».self) {}
            }
            """),
        Snippet(
            "a sequence of main-actor notifications that are not Sendable, on any center",
            .error("type 'WillShow' does not conform to the 'Sendable' protocol"),
            """
            func f(_ center: any TypedNotificationCenter) async {
                for await _ in center.notifications(of: «WillShow|Shown».self) {}
            }
            """),
        Snippet(
            "a sequence of possibly non-Sendable main-actor notifications, in generic code",
            .error("type 'N' does not conform to the 'Sendable' protocol"),
            """
            func f<N: MainActorNotification«|& Sendable»>(_ center: some TypedNotificationCenter, _ type: N.Type) async {
                for await _ in center.notifications(of: type) {}
            }
            """),
        Snippet(
            "a wait for the first main-actor notification of a non-Sendable type",
            .error("type 'WillShow' does not conform to the 'Sendable' protocol"),
            "func f(_ center: NativeNotificationCenter) async { _ = await center.first(of: «WillShow|Shown».self) }"),
        Snippet(
            "a wait for the first main-actor notification of a non-Sendable type, on any center",
            .error("type 'WillShow' does not conform to the 'Sendable' protocol"),
            """
            func f(_ center: any TypedNotificationCenter) async {
                _ = await center.first(of: «WillShow|Shown».self, performing: { await Task.yield() })
            }
            """),
        Snippet(
            "a non-Sendable main-actor notification delivered to an actor",
            .error("type 'WillShow' does not conform to the 'Sendable' protocol"),
            """
            func f(_ center: NativeNotificationCenter, _ store: Store) -> NotificationToken {
                center.addObserver(store, on: .actor, for: «WillShow|Shown».self) { _, _ in }
            }
            """),
        Snippet(
            "a non-Sendable main-actor notification delivered to a task",
            .error("type 'WillShow' does not conform to the 'Sendable' protocol"),
            """
            func f(_ center: NativeNotificationCenter) -> NotificationToken {
                center.addObserver(on: .task, for: «WillShow|Shown».self) { _ in }
            }
            """),
    ]
}
