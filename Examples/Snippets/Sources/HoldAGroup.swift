// A group keeps the observers of a part of a program alive, and finishes them.
import Tidings

struct Placed: TypedNotification { let id: Int }
struct Changed: TypedNotification { let id: Int }

actor Projection {
    private(set) var rows: [Int] = []
    func store(_ note: Placed) async throws { rows.append(note.id) }
}

actor Audit: MessageConsumer {
    func consume(_ message: String) { print("audit: \(message)") }
}

struct Mailer {
    func confirm(_ note: Placed) async throws { bus.dispatch("confirmed \(note.id)") }
}

actor Stream {
    private(set) var sent: [Int] = []
    func send(_ note: Changed) { sent.append(note.id) }
}

let center = NativeNotificationCenter()
let bus = MessageBus<String>()
let (projection, stream, audit, mailer) = (Projection(), Stream(), Audit(), Mailer())

// snippet.group
let group = ObserverGroup("orders", finishing: center)
center.addObserver(projection, on: .actor, for: Placed.self) { me, note in try await me.store(note) }.store(in: group)
center.addObserver(on: .task, for: Placed.self) { note in try await mailer.confirm(note) }.store(in: group)
group.add(audit, to: bus)
group.read(center.notifications(of: Changed.self)) { note in await stream.send(note) }
// snippet.end

center.post(Placed(id: 7))
center.post(Changed(id: 8))

// snippet.finish
let left = await group.finish(within: .seconds(5))
for observer in left { print("\(group.name) gave up on \(observer)") }
// snippet.end
// → audit: confirmed 7
print(await projection.rows, await stream.sent)
// → [7] [8]
