extension Snippet {
    /// Wrong spellings that people guess. The diagnostic contains the right spelling.
    static let guesses =
        [
            "NativeNotificationCenter", "NotificationCenter", "some TypedNotificationCenter",
            "any TypedNotificationCenter",
        ]
        .map { center in
            Snippet(
                "the wrong spelling 'mainActor', on \(center)", .error("'mainActor' has been renamed to 'main'"),
                """
                func f(_ center: \(center), _ model: Model) -> NotificationToken {
                    center.addObserver(on: .«mainActor|main», for: Ping.self) { _ in model.count += 1 }
                }
                """)
        } + [
            Snippet(
                "the wrong spelling 'mainActor', with an owner", .error("'mainActor' has been renamed to 'main'"),
                """
                extension Model {
                    func f(_ center: any TypedNotificationCenter) {
                        center.addObserver(self, on: .«mainActor|main», for: Ping.self) { me, _ in me.count += 1 }
                    }
                }
                """),
            Snippet(
                "a replayed notification that is not Sendable", .error("conform to the 'Sendable' protocol"),
                """
                final class Unshared { var number = 0 }
                struct State: TypedNotification {
                    static var replay: NotificationReplay { «.latest(of: Self.self)|.none» }
                    let content: Unshared
                }
                """),
            Snippet(
                "an observer that awaits, with a condition", .error("an observer in the post cannot await"),
                """
                func f(_ center: any TypedNotificationCenter, _ store: Store) -> NotificationToken {
                    center.addObserver(for: Ping.self, where: { $0.number > 1 }) { _ in _ = «await store.count|store» }
                }
                """),
            Snippet(
                "an observer that awaits on a queue", .error("to parameter expecting synchronous function type"),
                """
                func f(_ center: any TypedNotificationCenter, _ queue: DispatchQueue, _ store: Store) -> NotificationToken {
                    center.addObserver(on: «.queue(queue)|.task», for: Ping.self) { _ in _ = await store.count }
                }
                """),
            Snippet(
                "an observer in the post that throws",
                .error("cannot await or throw; specify where it runs, with 'on: .task' or 'on: .main'"),
                """
                func f(_ center: any TypedNotificationCenter) -> NotificationToken {
                    center.addObserver(«|on: .task, »for: Ping.self) { _ in throw CancellationError() }
                }
                """),
            Snippet(
                "an owner's observer in the post that awaits a throwing call",
                .error(
                    "cannot await or throw; specify where it runs, with 'on: .main', or 'on: .actor' for an actor"),
                """
                actor Table { func store(_ note: Ping) async throws {} }
                func f(_ center: any TypedNotificationCenter, _ table: Table) {
                    center.addObserver(table, «|on: .actor, »for: Ping.self) { me, note in try await me.store(note) }
                }
                """),
            Snippet(
                "a main-actor notification's observer that throws",
                .error("an observer in the post cannot await or throw; start a task in it"),
                """
                func read() throws {}
                func f(_ center: any TypedNotificationCenter) -> NotificationToken {
                    center.addObserver(for: Shown.self) { _ in «try|try?» read() }
                }
                """),
            Snippet(
                "a plain observer's condition that uses the main actor",
                .error("main actor-isolated property 'count'"),
                """
                func f(_ center: any TypedNotificationCenter, _ model: Model) -> NotificationToken {
                    center.addObserver(for: Ping.self, where: { $0.number > «model.count|1» }) { _ in }
                }
                """),
        ]
}

extension Accepted {
    static let surface = [
        "NativeNotificationCenter", "NotificationCenter", "some TypedNotificationCenter", "any TypedNotificationCenter",
    ]
    .map { center in
        Accepted(
            "conditions, owners, observations and several types, on \(center)",
            """
            final class Screen: Sendable {}
            @MainActor func f(_ center: \(center), _ account: Account, _ screen: Screen, _ model: Model, _ store: Store) -> [NotificationToken] {
                var tokens: [NotificationToken] = []
                center.addObserver(for: Ping.self, where: { $0.number > 10 }) { note in print(note) }.store(in: &tokens)
                center.addObserver(for: Ping.self, where: { note in
                    let number = note.number
                    return number > 10
                }) { note in
                    print(note)
                    print(note.number)
                }
                .store(in: &tokens)
                center.addObserver(for: Changed.self, sender: account, where: { _ in true }) { _ in }.store(in: &tokens)
                center.addObserver(screen, for: Ping.self, where: { $0.number > 10 }) { me, _ in print(me) }
                center.addObserver(screen, for: Changed.self, sender: account, where: { _ in true }) { me, _ in print(me) }
                center.addObserver(for: WillShow.self, where: { !$0.view.isShown && model.count > 1 }) { note in
                    note.view.isShown = true
                }
                .store(in: &tokens)
                center.addObserver(model, for: WillShow.self, where: { !$0.view.isShown }) { me, _ in me.count += 1 }
                center.addObserver(for: Ping.self) { note in print(note) }.store(in: &tokens)
                center.addObserver(for: Ping.self, using: { note in print(note) }).store(in: &tokens)
                center.addObserver(on: .task, for: Ping.self, where: { $0.number > 1 }) { _ in await Task.yield() }
                    .store(in: &tokens)
                center.addObserver(on: .main, for: Ping.self, where: { $0.number > 1 }) { _ in model.count += 1 }
                    .store(in: &tokens)
                center.addObserver(model, on: .main, for: Ping.self, where: { $0.number > 1 }) { me, _ in me.count += 1 }
                center.addObserver(store, on: .actor, for: Ping.self, where: { $0.number > 1 }) { store, _ in store.count += 1 }
                center.addObserver(store, on: .actor, for: Ping.self, onFailure: .call { error in print(error) }) { store, _ in
                    throw CancellationError()
                }
                let (queue, operations) = (DispatchQueue(label: "queue"), OperationQueue())
                for _ in 0..<2 {
                    center.addObserver(on: .queue(queue), for: Ping.self) { note in print(note) }.store(in: &tokens)
                    center.addObserver(on: .queue(DispatchQueue.main), for: Ping.self) { note in print(note) }.store(in: &tokens)
                    center.addObserver(on: .queue(operations), for: Ping.self, where: { $0.number > 1 }) { note in
                        print(note)
                        throw CancellationError()
                    }
                    .store(in: &tokens)
                    center.addObserver(screen, on: .queue(operations), for: Changed.self, sender: account, onFailure: .end) { me, _ in
                        print(me)
                        throw CancellationError()
                    }
                    center.addObserver(on: .queue(queue), for: Ping.self, onFailure: .call { error in print(error) }) { note in print(note) }
                        .store(in: &tokens)
                }
                center.removeObservers(of: screen)
                return tokens
            }
            func g(_ center: \(center)) async -> Int {
                var count = 0
                for await note in center.notifications(of: Ping.self, Changed.self) {
                    switch note {
                    case let note as Ping: count += note.number
                    default: break
                    }
                }
                return count
            }
            func show(_ center: \(center), _ monitor: some NotificationMonitor) -> MonitorAttachment {
                print(center.observations.table)
                return center.attach(monitor)
            }
            """)
    }
}
