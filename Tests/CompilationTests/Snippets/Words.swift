extension Snippet {
    private static let cannotAwait = "an observer in the post cannot await or throw; specify where it runs, with"

    /// Common mistakes, with diagnostics that explain the solution.
    static let words =
        [
            "NativeNotificationCenter", "NotificationCenter", "some TypedNotificationCenter",
            "any TypedNotificationCenter",
        ]
        .map { center in
            Snippet(
                "a synchronous observer whose closure awaits, on \(center)", .error(cannotAwait),
                """
                func f(_ center: \(center), _ store: Store) -> NotificationToken {
                    center.addObserver(«|on: .task, »for: Ping.self) { _ in _ = await store.count }
                }
                """)
        } + [
            Snippet(
                "a synchronous observer whose closure awaits, limited to a sender", .error(cannotAwait),
                """
                func f(_ center: NativeNotificationCenter, _ account: Account, _ store: Store) -> NotificationToken {
                    center.addObserver(«|on: .task, »for: Changed.self, sender: account) { _ in _ = await store.count }
                }
                """),
            Snippet(
                "an owner's synchronous observer whose closure awaits", .error(cannotAwait),
                """
                final class Reader: Sendable {
                    let store = Store()
                    func f(_ center: any TypedNotificationCenter) {
                        center.addObserver(«self, |store, on: .actor, »for: Ping.self) { me, _ in
                            _ = «await me.store|me».count
                        }
                    }
                }
                """),
            Snippet(
                "an observer of a main-actor notification whose closure awaits",
                .error("an observer in the post cannot await or throw; start a task in it"),
                """
                func f(_ center: any TypedNotificationCenter, _ store: Store) -> NotificationToken {
                    center.addObserver(for: Shown.self) { _ in «|Task { »_ = await store.count«| }» }
                }
                """),
            Snippet(
                "a consumer with state, in a module isolated to the main actor by default",
                .error("stored property 'count' of 'Sendable'-conforming class 'Reader' is mutable"),
                options: ["-default-isolation", "MainActor"],
                """
                «|@MainActor »final class Reader: MessageConsumer {
                    var count = 0
                    func consume(_ message: Message) { count += 1 }
                }
                func f(_ bus: MessageBus<Message>, _ reader: Reader) { bus.add(reader) }
                """),
        ]
}

extension Accepted {
    /// The options that Xcode sets for the modules of new projects.
    private static let approachable = [
        "-default-isolation", "MainActor", "-enable-upcoming-feature", "InferIsolatedConformances",
        "-enable-upcoming-feature", "NonisolatedNonsendingByDefault",
    ]

    private static let callersIsolation = ["-enable-upcoming-feature", "NonisolatedNonsendingByDefault"]

    /// The article on deliveries shows these functions.
    private static let wrappers = """
        extension TypedNotificationCenter {
            func each<N: TypedNotification & Sendable>(
                _ type: N.Type, _ handle: @escaping @Sendable (N) async throws -> Void
            ) -> NotificationToken {
                addObserver(on: .task, for: type) { note in try await handle(note) }
            }
            func eachIsolated<N: TypedNotification & Sendable>(
                _ type: N.Type, _ handle: @escaping @isolated(any) @Sendable (N) async throws -> Void
            ) -> NotificationToken {
                addObserver(on: .task, for: type, using: handle)
            }
        }
        func f(_ center: any TypedNotificationCenter, _ store: Store) -> [NotificationToken] {
            [
                center.each(Ping.self) { _ in _ = await store.count },
                center.eachIsolated(Ping.self) { @MainActor _ in MainActor.assertIsolated() },
            ]
        }
        """

    static let all = [
        Accepted(
            "an observer on the main actor",
            """
            func f(_ center: any TypedNotificationCenter, _ model: Model) -> NotificationToken {
                center.addObserver(on: .main, for: Ping.self) { _ in model.count += 1 }
            }
            """),
        Accepted(
            "observers that await, or throw, in an actor, on the main actor, and in a task",
            """
            extension Store {
                func keep(_ note: Ping) async throws {}
                func add(_ note: Ping) throws { count += note.number }
            }
            extension Model {
                func show(_ note: Ping) async throws { count += 1 }
                func observe(_ center: any TypedNotificationCenter) {
                    center.addObserver(self, on: .main, for: Ping.self) { me, note in try await me.show(note) }
                    center.addObserver(self, on: .main, for: Ping.self) { me, _ in await Task.yield() }
                }
            }
            func f(_ center: NativeNotificationCenter, _ store: Store, _ model: Model) -> [NotificationToken] {
                center.addObserver(store, on: .actor, for: Ping.self) { me, note in try await me.keep(note) }
                center.addObserver(store, on: .actor, for: Ping.self, buffering: .latest(1)) { me, note in try me.add(note) }
                center.addObserver(store, on: .actor, for: Ping.self, onFailure: .call { print($0) }) { me, _ in await Task.yield() }
                return [
                    center.addObserver(on: .main, for: Ping.self) { _ in await Task.yield() },
                    center.addObserver(on: .main, for: Ping.self, onFailure: .end) { try await model.show($0) },
                    center.addObserver(on: .task, for: Ping.self) { note in try await store.keep(note) },
                ]
            }
            """),
        Accepted(
            "functions that take a closure and pass it to an observer in a task", options: callersIsolation, wrappers),
        Accepted("the same functions in a module without upcoming features", wrappers),
        Accepted(
            "a consumer that awaits and throws, and a consumer that does neither",
            """
            actor Keeper: MessageConsumer { func consume(_ message: Message) async throws { throw CancellationError() } }
            actor Counter: MessageConsumer { func consume(_ message: Message) {} }
            func f(_ bus: MessageBus<Message>, _ keeper: Keeper, _ counter: Counter) {
                bus.add(keeper)
                bus.add(counter)
            }
            """),
        Accepted(
            "a token removed from any center, some center, and a center that is not an object",
            """
            struct Forwarding: TypedNotificationCenter {
                let base: any TypedNotificationCenter
                func post<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
                    base.post(notification, from: place)
                }
                func observe<N: TypedNotification>(
                    _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
                    using observer: @escaping @Sendable (N) -> Void
                ) -> any ObserverHandle {
                    base.observe(type, sender: sender, registration: registration, using: observer)
                }
            }
            func f(_ center: any TypedNotificationCenter, _ token: NotificationToken) {
                center.removeObserver(token)
                Forwarding(base: center).removeObserver(token)
            }
            func g(_ center: some TypedNotificationCenter, _ token: NotificationToken) { center.removeObserver(token) }
            """),
        Accepted(
            "notifications named by a constant, in a module with Xcode's default settings", options: approachable,
            """
            nonisolated extension Notification.Name { static let saved = Notification.Name("saved") }
            struct Saved: BridgedNotification, Codable { static let name = Notification.Name.saved }
            struct Displayed: MainActorBridgedNotification, Codable { static let name = Notification.Name.saved }
            actor Writer { func save(_ center: NotificationCenter) { center.post(Saved()) } }
            func display(_ center: NotificationCenter) { center.post(Displayed()) }
            """),
        Accepted(
            "a consumer, an observer and a post, in a module with Xcode's default settings", options: approachable,
            """
            @MainActor final class Reader: MessageConsumer {
                var count = 0
                var tokens: [NotificationToken] = []
                func consume(_ message: Message) { count += 1 }
                func start(_ center: any TypedNotificationCenter, _ bus: MessageBus<Message>) {
                    bus.add(self)
                    center.addObserver(self, on: .main, for: Ping.self) { me, _ in me.count += 1 }
                    center.addObserver(self, for: Shown.self) { me, _ in me.count += 1 }
                    center.addObserver(on: .main, for: Ping.self) { [weak self] _ in self?.count += 1 }
                        .store(in: &tokens)
                    center.post(Ping())
                    center.post(Shown())
                }
            }
            """),
        Accepted(
            "tokens held by a scope, an object, an actor, and an observable class",
            """
            import Observation
            final class Holder { var tokens = NotificationTokens() }
            actor Guard {
                var tokens = NotificationTokens()
                func observe(_ center: any TypedNotificationCenter) {
                    center.addObserver(for: Ping.self) { _ in }.store(in: &tokens)
                }
                func stop() async {
                    for token in tokens.removeAll() { await token.cancelAndDrain() }
                }
            }
            @Observable final class Seen {
                var count = 0
                @ObservationIgnored var tokens = NotificationTokens()
            }
            func f(_ center: any TypedNotificationCenter, _ holder: Holder) {
                var tokens = NotificationTokens((0..<3).map { _ in center.addObserver(for: Ping.self) { _ in } })
                center.addObserver(for: Ping.self) { _ in }.store(in: &tokens)
                center.addObserver(for: Ping.self) { _ in }.store(in: &holder.tokens)
                holder.tokens.removeAll()
            }
            """),
    ]
}
