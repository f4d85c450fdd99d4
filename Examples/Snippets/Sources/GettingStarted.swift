// The first five minutes: a notification, an observer, and the ways to end an observation.
import Tidings

// snippet.notification
final class Account: Sendable {
    let name: String
    init(name: String) { self.name = name }
}

struct DepositMade: TypedNotification {
    let sender: Account
    let amount: Int
}
// snippet.end

// snippet.post
let center = NativeNotificationCenter()
let anna = Account(name: "Anna")

let token = center.addObserver(for: DepositMade.self) { note in
    print("\(note.sender.name) has \(note.amount) more.")
}
center.post(DepositMade(sender: anna, amount: 50))
// → Anna has 50 more.
// snippet.end

// snippet.end-with-token
token.cancel()
center.post(DepositMade(sender: anna, amount: 10))  // reaches no observer
// snippet.end

// snippet.owner
actor Ledger {
    private var total = 0
    private let goal: Int

    init(of account: Account, goal: Int, center: any TypedNotificationCenter) {
        self.goal = goal
        center.addObserver(self, on: .actor, for: DepositMade.self, sender: account) { me, note in me.add(note.amount) }
    }

    private func add(_ amount: Int) {
        total += amount
        print("\(total) of \(goal)")
    }
}
// snippet.end

// snippet.deliver
let ledger = Ledger(of: anna, goal: 100, center: center)
let ben = Account(name: "Ben")

await center.deliver(DepositMade(sender: anna, amount: 30))
// → 30 of 100
await center.deliver(DepositMade(sender: ben, amount: 500))  // of another sender
await center.deliver(DepositMade(sender: anna, amount: 70))
// → 100 of 100
// snippet.end

// snippet.sequence
struct AccountOpened: TypedNotification { let name: String }

let opened = center.notifications(of: AccountOpened.self)
center.post(AccountOpened(name: "Carla"))
center.post(AccountOpened(name: "David"))

for await note in opened {
    print("Welcome, \(note.name)!")
    if note.name == "David" { break }
}
// → Welcome, Carla!
// → Welcome, David!
// snippet.end

// snippet.table
for observer in center.observations {
    print("\(observer.subject) \(observer.delivery), registered at \(observer.place)")
}
// → GettingStarted.DepositMade in an actor, registered at GettingStarted/GettingStarted.swift:39
// → GettingStarted.AccountOpened as a sequence, registered at GettingStarted/GettingStarted.swift:63
// snippet.end
withExtendedLifetime(ledger) {}
