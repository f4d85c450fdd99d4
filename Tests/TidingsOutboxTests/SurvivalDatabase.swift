import Tidings
import TidingsOutbox

/// A program's side of a database, in which programs follow each other: what is left when one dies is what the next one finds.
protocol SurvivalDatabase: Sendable {
    var outbox: any SurvivalOutbox { get }

    /// Whether it has an inbox.
    var hasInbox: Bool { get }

    /// Stores a notification, in a transaction that is committed.
    func post(_ number: Int) async throws

    /// Stores one in a transaction that is rolled back.
    func rollBack(_ number: Int) async throws

    /// Has an effect in the database, once.
    func effect(of stored: StoredNotification<Placed>) async throws

    /// What has had an effect.
    func effects() async throws -> [Int]

    /// Cannot be reached by the program until it comes back.
    func goAway() async throws
    func comeBack() async throws

    /// The program dies where it is.
    func die() async throws

    /// The program dies in a transaction that has stored a notification.
    func dieBeforeCommit(of number: Int) async throws

    /// The program commits a notification, and dies before any of its observers knows.
    func dieAfterCommit(of number: Int) async throws

    /// Another program's side: one that is started now, after this one has died or beside it.
    func next(_ center: NativeNotificationCenter) async throws -> any SurvivalDatabase
}

/// An outbox in any store.
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

/// What durable observers end with.
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

/// The store in memory: without transactions of the user's, and without an inbox.
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
        // From here on this program reaches nothing.
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
