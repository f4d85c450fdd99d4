import Tidings
import TidingsOutbox

/// A program's view of a database. If the program dies, the next program continues with the data that is left.
protocol SurvivalDatabase: Sendable {
    var outbox: any SurvivalOutbox { get }

    var hasInbox: Bool { get }

    func post(_ number: Int) async throws

    func rollBack(_ number: Int) async throws

    /// Stores the effect once, even if the notification is repeated.
    func effect(of stored: StoredNotification<Placed>) async throws

    func effects() async throws -> [Int]

    /// Makes the database unavailable to the program until ``comeBack()``.
    func goAway() async throws
    func comeBack() async throws

    func die() async throws

    /// Makes the program die in an open transaction that has stored a notification.
    func dieBeforeCommit(of number: Int) async throws

    /// Commits a notification, and makes the program die before any of its observers receives the notification.
    func dieAfterCommit(of number: Int) async throws

    /// Starts another program with the same data, after this program has died or while it runs.
    func next(_ center: NativeNotificationCenter) async throws -> any SurvivalDatabase
}

protocol SurvivalOutbox: Sendable {
    var runningObservers: [DurableObserverStatus] { get }
    @discardableResult func drain(within limit: Duration) async -> [DurableObserverStatus]
    @discardableResult func finish(within limit: Duration) async -> [DurableObserverStatus]
    func registeredObservers() async throws -> [DurableObserverRecord]
    func deadLetters(for observer: String, limit: Int) async throws -> [OutboxDeadLetter]
    func observe(
        _ owner: SurvivalOwner, _ name: String, _ delays: RetryPolicy,
        _ handle: @escaping @Sendable (StoredNotification<Placed>) async throws -> Void
    ) -> NotificationToken
}

/// An owner whose deallocation ends durable observers.
actor SurvivalOwner {}

extension NotificationOutbox: SurvivalOutbox {
    func observe(
        _ owner: SurvivalOwner, _ name: String, _ delays: RetryPolicy,
        _ handle: @escaping @Sendable (StoredNotification<Placed>) async throws -> Void
    ) -> NotificationToken {
        addObserver(owner, named: name, on: .actor, forStored: Placed.self, from: .stored, retrying: delays) {
            _, stored in try await handle(stored)
        }
    }
}

/// The store in memory, which has neither user transactions nor an inbox.
struct MemorySurvival: SurvivalDatabase {
    private let store: InMemoryOutboxStore
    private let typed: NotificationOutbox<InMemoryOutboxStore>
    var outbox: any SurvivalOutbox { typed }
    let hasInbox = false

    init(_ center: NativeNotificationCenter, _ store: InMemoryOutboxStore = InMemoryOutboxStore()) async throws {
        self.store = store
        typed = try await NotificationOutbox(store, of: center, options: .quick)
    }

    func post(_ number: Int) throws { try typed.post(Placed(number: number)) }
    func rollBack(_ number: Int) throws { fatalError("no transactions") }
    func effect(of stored: StoredNotification<Placed>) { fatalError("no inbox") }
    func effects() -> [Int] { [] }
    func goAway() { store.failure = Refused() }
    func comeBack() { store.failure = nil }

    func die() async {
        // From here on, this program can no longer access the store.
        store.failure = Refused()
        store.interrupt()
        await typed.finish(within: .zero)
        store.failure = nil
    }

    func dieBeforeCommit(of number: Int) { fatalError("no transactions") }

    func dieAfterCommit(of number: Int) async throws {
        try store.append([OutboxPost(Placed(number: number))])
        await die()
    }

    func next(_ center: NativeNotificationCenter) async throws -> any SurvivalDatabase {
        try await MemorySurvival(center, store)
    }
}
