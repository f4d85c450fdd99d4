// A server whose observers await and throw, with a group that keeps them alive, and a shutdown that loses nothing.
import Tidings

// snippet.notification
struct OrderPlaced: TypedNotification {
    let id: Int
    var isHundredth: Bool { id.isMultiple(of: 100) }
}
// snippet.end

// snippet.await
actor Projection {
    private let database: Database

    init(in database: Database) { self.database = database }

    func store(_ note: OrderPlaced) async throws { try await database.insert(note.id) }
}
// snippet.end

/// Stands in for a database. It rejects a row that it already has.
actor Database {
    struct Duplicate: Error { let id: Int }
    private(set) var rows: Set<Int> = []

    func insert(_ id: Int) throws {
        guard rows.insert(id).inserted else { throw Duplicate(id: id) }
    }
}

let center = NativeNotificationCenter()
let database = Database()

// snippet.register
let projection = Projection(in: database)
let stored = center.addObserver(projection, on: .actor, for: OrderPlaced.self) { me, note in try await me.store(note) }
// snippet.end

/// Stands in for a log.
actor Audit: MessageConsumer {
    private(set) var lines: [String] = []
    func consume(_ message: String) { lines.append(message) }
}

let (bus, audit) = (MessageBus<String>(), Audit())

// snippet.lifetime
let group = ObserverGroup("orders", finishing: center)
stored.store(in: group)
center.addObserver(for: OrderPlaced.self, where: { $0.isHundredth }) { note in print("order \(note.id)!") }
    .store(in: group)
group.add(audit, to: bus)
// snippet.end

// snippet.receipt
await center.deliver(OrderPlaced(id: 100))
// → order 100!
let receipt = await center.deliver(OrderPlaced(id: 100), within: .seconds(2))
// → order 100!
for failure in receipt.failures { print("\(failure.error), registered at \(failure.place)") }
// → Duplicate(id: 100), registered at InAServer/InAServer.swift:36
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

// snippet.health
let health = center.health() + bus.health()
print(health.isWell ? "ready" : "not ready: \(health)")
// → ready
print(health.isAlive ? "alive" : "hanging: \(health)")
// → alive
// snippet.end

// snippet.crash
func place(_ id: Int) async -> Int {
    let receipt = await center.deliver(OrderPlaced(id: id), within: .seconds(2))
    return receipt.failures.isEmpty && receipt.unfinished.isEmpty ? 201 : 503
}
print(await place(5))
// → 201
print(await place(5))
// → 503
// snippet.end

// snippet.finish
center.post(OrderPlaced(id: 3))
let left = await group.finish(within: .seconds(5))
for observer in left { print("gave up on \(observer)") }
print(await database.rows.count)
// → 5
print(center.post(OrderPlaced(id: 4)))
// → 0
// snippet.end

// A center without a group has `finish` as well. Nothing is left at this point.
do {
    let left = await center.finish(within: .seconds(5))
    for observer in left { print("gave up on \(observer.place), \(observer.queued) wait") }
}
