extension Snippet {
    private static let unused = "result of call to 'addObserver"

    /// A token that isn't stored ends its observation at once, so the compiler warns about an unused result.
    static let tokens =
        [
            (
                "in the post, of the native center", "NativeNotificationCenter",
                "center.addObserver(for: Ping.self) { _ in }"
            ),
            ("in the post", "any TypedNotificationCenter", "center.addObserver(for: Ping.self) { _ in }"),
            (
                "in the post, in generic code", "some TypedNotificationCenter",
                "center.addObserver(for: Ping.self) { _ in }"
            ),
            (
                "of a main-actor notification", "some TypedNotificationCenter",
                "center.addObserver(for: Shown.self) { _ in }"
            ),
            (
                "on the main actor", "some TypedNotificationCenter",
                "center.addObserver(on: .main, for: Ping.self) { _ in }"
            ),
            ("in a task", "any TypedNotificationCenter", "center.addObserver(on: .task, for: Ping.self) { _ in }"),
            ("on a queue", "NotificationCenter", "center.addObserver(for: Ping.self, queue: .main) { _ in }"),
            (
                "of a descriptor", "NotificationCenter",
                "center.addObserver(descriptor: PayloadDescriptor<Int>(name: .init(\"n\"))) { _ in }"
            ),
            (
                "of a descriptor's results", "NotificationCenter",
                "center.addObserver(resultOf: PayloadDescriptor<Int>(name: .init(\"n\"))) { _ in }"
            ),
            (
                "of a main-actor descriptor", "NotificationCenter",
                "center.addObserver(descriptor: KeyboardNotification.willShow) { _ in }"
            ),
            (
                "of a main-actor descriptor's results", "NotificationCenter",
                "center.addObserver(resultOf: KeyboardNotification.willShow) { _ in }"
            ),
        ].map { name, center, call in
            Snippet(
                "a discarded token of an observer \(name)", .warning(unused),
                "func f(_ center: \(center)) { «|withExtendedLifetime(»\(call)«|) {}» }")
        } + [
            Snippet(
                "a discarded sequence", .warning("result of call to 'notifications"),
                "func f(_ center: NativeNotificationCenter) { «|_ = »center.notifications(of: Ping.self) }"),
            Snippet(
                "a token created without a registration", .error("'NotificationToken' initializer is inaccessible"),
                "func f(_ token: NotificationToken) -> NotificationToken { «NotificationToken()|token» }"),
        ]

    private static let isNoAccount = "cannot convert value of type 'View' to expected argument type 'Account'"

    static let senders =
        [
            (
                "in the post", "NativeNotificationCenter",
                "addObserver(for: Changed.self, sender: «view|account») { _ in }"
            ),
            (
                "on any center", "any TypedNotificationCenter",
                "addObserver(for: Changed.self, sender: «view|account») { _ in }"
            ),
            (
                "on some center", "some TypedNotificationCenter",
                "addObserver(for: Changed.self, sender: «view|account») { _ in }"
            ),
            (
                "for an owner", "any TypedNotificationCenter",
                "addObserver(account, for: Changed.self, sender: «view|account») { _, _ in }"
            ),
            (
                "in an actor", "any TypedNotificationCenter",
                "addObserver(store, on: .actor, for: Changed.self, sender: «view|account») { _, _ in }"
            ),
            (
                "on the main actor", "any TypedNotificationCenter",
                "addObserver(on: .main, for: Changed.self, sender: «view|account») { _ in }"
            ),
            (
                "in a task", "any TypedNotificationCenter",
                "addObserver(on: .task, for: Changed.self, sender: «view|account») { _ in }"
            ),
            ("as a sequence", "any TypedNotificationCenter", "notifications(of: Changed.self, sender: «view|account»)"),
            (
                "of a main-actor notification", "any TypedNotificationCenter",
                "addObserver(for: Selected.self, sender: «view|account») { _ in }"
            ),
        ].map { name, center, call in
            Snippet(
                "a sender of the wrong type, \(name)", .error(isNoAccount),
                """
                @MainActor
                func f(_ center: \(center), _ view: View, _ account: Account, _ store: Store) { _ = center.\(call) }
                """)
        } + [
            Snippet(
                "an observer in the post limited to a shared sender that is not Sendable",
                .error("risks causing data races"),
                """
                struct Drawn: TypedNotification { let sender: «View|Account» }
                func f(_ center: NativeNotificationCenter, _ sender: «View|Account») -> NotificationToken {
                    center.addObserver(for: Drawn.self, sender: sender) { _ in }
                }
                """),
            Snippet(
                "an owner's observer limited to a shared sender that is not Sendable",
                .error("risks causing data races"),
                """
                struct Kept: Hashable { static func == (a: Kept, b: Kept) -> Bool { true }; func hash(into: inout Hasher) {}
                    let view: «View|Int» }
                struct Drawn: TypedNotification { let sender: Kept }
                func f(_ center: any TypedNotificationCenter, _ account: Account, _ sender: Kept) {
                    center.addObserver(account, for: Drawn.self, sender: sender) { _, _ in }
                }
                """),
            Snippet(
                "an observer of a main-actor notification limited to a shared sender that is not Sendable",
                .error("risks causing data races"),
                """
                struct Drawn: MainActorNotification { let sender: «View|Account» }
                func f(_ center: NativeNotificationCenter, _ sender: «View|Account») -> NotificationToken {
                    center.addObserver(for: Drawn.self, sender: sender) { _ in }
                }
                """),
            Snippet(
                "a sender argument for a notification type that has no sender",
                .error("cannot convert value of type 'Account' to expected argument type 'Void'"),
                """
                func f(_ center: NativeNotificationCenter, _ account: Account) -> NotificationToken {
                    center.addObserver(for: «Ping|Changed».self, sender: account) { _ in }
                }
                """),
            Snippet(
                "a notification type that has a Sender but no sender",
                .error("type 'Bare' does not conform to protocol 'NotificationContent'"),
                "struct Bare: TypedNotification { «typealias Sender =|let sender:» Account }"),
        ]

    static let types = [
        Snippet(
            "a property that the notification does not have", .error("value of type 'Ping' has no member 'text'"),
            """
            func f(_ center: NativeNotificationCenter) -> NotificationToken {
                center.addObserver(for: Ping.self) { note in print(note.«text|number») }
            }
            """),
        Snippet(
            "a post of a value that is not a notification",
            .error("a post takes an instance of a type that conforms to 'TypedNotification'"),
            "func f(_ center: NativeNotificationCenter) { center.post(«Account|Ping»()) }"),
        Snippet(
            "a consumer of another message type",
            .error("requires the types 'Message' and 'OtherMessage' be equivalent"),
            """
            final class Reader: MessageConsumer { func consume(_ message: «OtherMessage|Message») {} }
            func f(_ bus: MessageBus<Message>, _ reader: Reader) { bus.add(reader) }
            """),
        Snippet(
            "a consumer of another message type, on the main actor",
            .error("requires the types 'Message' and 'OtherMessage' be equivalent"),
            """
            @MainActor final class Reader: MessageConsumer { func consume(_ message: «OtherMessage|Message») {} }
            func f(_ bus: MessageBus<Message>, _ reader: Reader) { bus.add(reader, on: .main) }
            """),
        Snippet(
            "a message of another type",
            .error("cannot convert value of type 'OtherMessage' to expected argument type"),
            "func f(_ bus: MessageBus<Message>) { bus.dispatch(«OtherMessage.closed|Message.opened») }"),
        Snippet(
            "a producer of another message type",
            .error("cannot convert return expression of type 'OtherMessage' to return type 'Message'"),
            "func f() -> any MessageProducer<Message> { MessageBus<«OtherMessage|Message»>() }"),
        Snippet(
            "a consumer that is not an object", .error("non-class type 'Reader' cannot conform to class protocol"),
            "«struct|final class» Reader: MessageConsumer { func consume(_ message: Message) {} }"),
    ]
}
