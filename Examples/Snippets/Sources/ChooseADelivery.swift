// Predicates, responses to errors, and queues, in one line each.
import Dispatch
import TidingsFoundation

struct Placed: TypedNotification, Sendable {
    static let name = "Snippets.ChooseADelivery.Placed"
    let id: Int
    var isPaid = false
}

struct Cancelled: TypedNotification, Sendable {
    static let name = "Snippets.ChooseADelivery.Cancelled"
    let id: Int
}

actor Projection {
    private(set) var rows: [Int] = []
    func store(_ note: Placed) async throws {
        if note.id == 13 { throw CancellationError() }
        rows.append(note.id)
    }
}

let center = NativeNotificationCenter()
let (projection, queue, log) = (Projection(), DispatchQueue(label: "orders"), Lines())
var tokens: [NotificationToken] = []

final class Lines: Sendable {
    func error(_ words: String) { print(words) }
}

// snippet.choose
center.addObserver(projection, on: .actor, for: Placed.self, where: { $0.isPaid }) { me, note in
    try await me.store(note)
}
center.addObserver(projection, on: .actor, for: Placed.self, onFailure: .call { error in log.error("\(error)") }) {
    me, note in
    try await me.store(note)
}
center.addObserver(on: .queue(queue), for: Placed.self) { note in print("on the queue: \(note.id)") }.store(in: &tokens)
// snippet.end

await center.deliver(Placed(id: 1))
// → on the queue: 1
tokens = []
await center.deliver(Placed(id: 13, isPaid: true))
// → CancellationError()
print(await projection.rows)
// → [1]

// snippet.several
let changes = center.notifications(of: Placed.self, Cancelled.self)
center.post(Placed(id: 2))
center.post(Cancelled(id: 2))
center.post(Placed(id: 3))

for await change in changes {
    switch change {
    case let placed as Placed: print("placed: \(placed.id)")
    case let cancelled as Cancelled: print("cancelled: \(cancelled.id)")
    default: preconditionFailure("a type without a case: \(change)")
    }
    if (change as? Placed)?.id == 3 { break }
}
// snippet.end
// → placed: 2
// → cancelled: 2
// → placed: 3
