// A server that calls a failing observer again, and slows down posters that are faster than an observer.
import Tidings

struct OrderPlaced: TypedNotification {
    let id: Int
}

/// Stands in for a mail server. It is busy the first time.
actor Mailer {
    struct Busy: Error {}
    private var isBusy = true

    func send(_ id: Int) throws {
        if isBusy {
            isBusy = false
            throw Busy()
        }
        print("sent \(id)")
    }
}

/// Stands in for a database.
actor Archive {
    private(set) var rows: [Int] = []
    func store(_ id: Int) { rows.append(id) }
}

let (center, mailer, archive) = (NativeNotificationCenter(), Mailer(), Archive())

// snippet.retry
let mails = center.addObserver(
    mailer, on: .actor, for: OrderPlaced.self, onFailure: .retry(after: [.milliseconds(10), .seconds(1), .seconds(10)])
) { me, note in
    try me.send(note.id)
}
center.post(OrderPlaced(id: 1))
center.post(OrderPlaced(id: 2))
await center.drain(within: .seconds(60))
// → sent 1
// → sent 2
print(center.statistics[OrderPlaced.self]?.failures ?? 0)
// → 0
// snippet.end
mails.cancel()

// snippet.room
center.addObserver(archive, on: .actor, for: OrderPlaced.self, buffering: .backPressure(100)) { me, note in
    me.store(note.id)
}
for id in 1...1_000 { try await center.postWaitingForRoom(OrderPlaced(id: id)) }
do {
    try await center.postWaitingForRoom(OrderPlaced(id: 1_001), within: .seconds(1))
} catch let error as NoRoomError {
    print("503: \(error)")
}
// snippet.end
await center.drain(within: .seconds(60))
print(await archive.rows == Array(1...1_001))
// → true
