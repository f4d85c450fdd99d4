// A server's parts: observers that await and fail, what keeps them alive, and an end that loses nothing.
import Tidings

// snippet.notification
struct OrderPlaced: TypedNotification {
    let id: Int
}
// snippet.end

// snippet.await
actor Projection {
    private let database: Database

    init(of center: any TypedNotificationCenter, in database: Database) {
        self.database = database
        center.addObserver(on: self, for: OrderPlaced.self) { me, note in try await me.store(note) }
    }

    private func store(_ note: OrderPlaced) async throws { try await database.insert(note.id) }
}
// snippet.end

/// What stands in for a database here: it refuses what it has.
actor Database {
    struct Duplicate: Error { let id: Int }
    private(set) var rows: Set<Int> = []

    func insert(_ id: Int) throws {
        guard rows.insert(id).inserted else { throw Duplicate(id: id) }
    }
}

let center = NativeNotificationCenter()
let database = Database()

// snippet.lifetime
/// Lives as long as the server, and so do those who observe for it.
final class Services: Sendable {
    let projection: Projection
    let tokens: [NotificationToken]

    init(center: any TypedNotificationCenter, database: Database) {
        projection = Projection(of: center, in: database)
        tokens = [center.addObserver(for: OrderPlaced.self, where: { $0.id % 100 == 0 }) { print("order \($0.id)!") }]
    }
}
// snippet.end

let services = Services(center: center, database: database)

// snippet.receipt
await center.deliver(OrderPlaced(id: 100))
// → order 100!
let receipt = await center.deliver(OrderPlaced(id: 100), within: .seconds(2))
// → order 100!
for failure in receipt.failures { print("\(failure.error), registered at \(failure.place)") }
// → Duplicate(id: 100), registered at InAServer/InAServer.swift:16
print(receipt.unfinished.count)
// → 0
// snippet.end

// snippet.drain
center.post(OrderPlaced(id: 1))
center.post(OrderPlaced(id: 2))
await center.drain(within: .seconds(10))
print(await database.rows.count)
// → 3
// snippet.end

// snippet.finish
center.post(OrderPlaced(id: 3))
let left = await center.finish(within: .seconds(5))
for observer in left { print("gave up on \(observer.place), \(observer.queued) wait") }
print(await database.rows.count)
// → 4
print(center.post(OrderPlaced(id: 4)))
// → 0
// snippet.end
withExtendedLifetime(services) {}
