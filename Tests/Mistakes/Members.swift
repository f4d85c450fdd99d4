// A missing member, or a wrong name or call, in closures of each kind. The diagnostic has to describe this mistake, not
// the surrounding call.

import Foundation
import Tidings
import TidingsFoundation

// MARK: In the post

// expect: type 'Ordered' has no member 'cuont'
func inTheFirstParameter(_ center: any TypedNotificationCenter) -> NotificationToken {
    center.addObserver(for: Ordered.self) { take($0.cuont) }  //!
}

// expect: type 'Ordered' has no member 'cuont'
func inASecondLineInThePost(_ center: NotificationCenter) -> NotificationToken {
    center.addObserver(for: Ordered.self) { note in
        let count = note.count
        take(count + note.cuont)  //!
    }
}

// expect: type 'Address' has no member 'stret'
func inWhatIsOptional(_ center: NativeNotificationCenter) -> NotificationToken {
    center.addObserver(for: Ordered.self) { note in
        print(note.address?.stret ?? "")  //!
    }
}

// expect: type 'Ordered' has no member 'cuont'
func inTheClosureOfAnOwner(_ center: any TypedNotificationCenter, _ log: Log) {
    center.addObserver(log, for: Ordered.self) { me, note in me.write("\(note.cuont)") }  //!
}

// expect: type 'Log' has no member 'wirte'
func ofTheOwner(_ center: some TypedNotificationCenter, _ log: Log) {
    center.addObserver(log, for: Ordered.self) { me, note in
        me.wirte("\(note.count)")  //!
    }
}

// expect: type 'Ordered' has no member 'cuont'
func inATaskOfAnOwner(_ center: any TypedNotificationCenter, _ log: Log) {
    center.addObserver(log, for: Ordered.self) { me, note in
        Task { await wait(for: note.cuont) }  //!
    }
}

// expect: type 'Ordered' has no member 'cuont'
func inTheCondition(_ center: any TypedNotificationCenter) -> NotificationToken {
    center.addObserver(for: Ordered.self, where: { $0.cuont > 1 }) { note in take(note.count) }  //!
}

// expect: type 'Opened' has no member 'canvs'
func ofTheMainActorWithoutAnOwner(_ center: any TypedNotificationCenter) -> NotificationToken {
    center.addObserver(for: Opened.self) { note in
        print(note.canvs)  //!
    }
}

// expect: type 'Opened' has no member 'canvs'
func inAConditionOfTheMainActor(_ center: any TypedNotificationCenter, _ window: Window) {
    center.addObserver(window, for: Opened.self, where: { $0.canvs.color == 1 }) { me, _ in me.title = "" }  //!
}

// MARK: Elsewhere

// expect: type 'Ordered' has no member 'cuont'
func inAGuard(_ center: NotificationCenter, _ stock: Stock) {
    center.addObserver(stock, on: .actor, for: Ordered.self) { me, note in
        guard let address = note.address, note.cuont > 0 else { return }  //!
        print(address)
        me.add(note.count)
    }
}

// expect: type 'Ordered' has no member 'cuont'
func afterAnAwaitInAnActor(_ center: any TypedNotificationCenter, _ stock: Stock) {
    center.addObserver(stock, on: .actor, for: Ordered.self) { me, note in
        try await me.save()
        me.add(note.cuont)  //!
    }
}

// expect: type 'Ordered' has no member 'cuont'
func inTheConditionOfAnActor(_ center: any TypedNotificationCenter, _ stock: Stock) {
    center.addObserver(stock, on: .actor, for: Ordered.self, where: { $0.cuont > 2 }) { me, note in  //!
        me.add(note.count)
    }
}

// expect: type 'Stock' has no member 'ad'
func ofTheActor(_ center: any TypedNotificationCenter, _ stock: Stock) {
    center.addObserver(stock, on: .actor, for: Ordered.self) { me, note in me.ad(note.count) }  //!
}

// expect: type 'Ordered' has no member 'cuont'
func afterAnAwaitOnTheMainActor(_ center: NotificationCenter, _ window: Window) {
    center.addObserver(window, on: .main, for: Ordered.self) { me, note in
        try await me.load()
        me.title = "\(note.cuont)"  //!
    }
}

// expect: type 'Ordered' has no member 'cuont'
func onTheMainActor(_ center: any TypedNotificationCenter) -> NotificationToken {
    center.addObserver(on: .main, for: Ordered.self) { note in
        take(note.cuont)  //!
    }
}

// expect: type 'Ordered' has no member 'cuont'
func inATaskOfManyLines(_ center: any TypedNotificationCenter) -> NotificationToken {
    center.addObserver(on: .task, for: Ordered.self, buffering: .latest(1)) { note in
        await wait(for: 1)
        try check(note.cuont)  //!
    }
}

// expect: type 'Ordered' has no member 'cuont'
func onAQueueOfManyLines(_ center: any TypedNotificationCenter, _ queue: OperationQueue) -> NotificationToken {
    center.addObserver(on: .queue(queue), for: Ordered.self) { note in
        take(note.count)
        take(note.cuont)  //!
    }
}

// expect: type 'Ordered' has no member 'cuont'
func onAQueueWithAnOwner(_ center: any TypedNotificationCenter, _ log: Log, _ queue: DispatchQueue) {
    center.addObserver(log, on: .queue(queue), for: Ordered.self) { me, note in me.write("\(note.cuont)") }  //!
}

// expect: type 'Ordered' has no member 'cuont'
func onFoundationsQueueWithAnOwner(_ center: NotificationCenter, _ log: Log) {
    center.addObserver(log, for: Ordered.self, queue: .main) { me, note in me.write("\(note.cuont)") }  //!
}

// expect: type 'Log' has no member 'wirte'
func inWhatFollowsAFailure(_ center: any TypedNotificationCenter, _ stock: Stock, _ log: Log) {
    center.addObserver(stock, on: .actor, for: Ordered.self, onFailure: .call { log.wirte("\($0)") }) { me, _ in  //!
        try await me.save()
    }
}

// MARK: Sequences and `first(of:)`

// expect: type 'Ordered' has no member 'cuont'
func inALoopOfManyLines(_ center: NotificationCenter) async {
    for await note in center.notifications(of: Ordered.self) {
        take(note.count)
        take(note.cuont)  //!
    }
}

// expect: type 'Ordered' has no member 'cuont'
func inTheConditionOfALoop(_ center: any TypedNotificationCenter) async {
    for await note in center.notifications(of: Ordered.self, where: { $0.cuont > 1 }) { take(note.count) }  //!
}

// expect: type 'Ordered' has no member 'cuont'
func inTheConditionOfTheFirst(_ center: any TypedNotificationCenter) async -> Ordered? {
    await center.first(of: Ordered.self, where: { $0.cuont > 1 })  //!
}

// expect: type 'Ordered' has no member 'cuont'
func inTheTrailingConditionOfTheFirst(_ center: any TypedNotificationCenter) async -> Ordered? {
    await center.first(of: Ordered.self) { $0.cuont > 1 }  //!
}

// expect: type 'Ordered' has no member 'cuont'
func inTheNamedConditionOfTheFirst(_ center: NotificationCenter) async -> Ordered? {
    await center.first(of: Ordered.self, within: .seconds(1)) { note in note.cuont > 1 }  //!
}

// expect: type 'Ordered' has no member 'cuont'
func inTheConditionOfTheFirstWithItsCause(_ center: any TypedNotificationCenter, _ stock: Stock) async -> Ordered? {
    await center.first(of: Ordered.self, where: { $0.cuont > 1 }) { await stock.add(1) }  //!
}

// expect: type 'Stock' has no member 'ad'
func inTheCauseOfTheFirst(_ center: any TypedNotificationCenter, _ stock: Stock) async -> Ordered? {
    await center.first(of: Ordered.self, performing: { await stock.ad(1) })  //!
}

// expect: type 'Ordered' has no member 'cuont'
func inTheConditionOfTheFirstOfASequence(_ notes: NotificationSequence<Ordered>) async -> Ordered? {
    await notes.first(within: .seconds(1)) { $0.cuont > 1 }  //!
}

// expect: type 'Ordered' has no member 'cuont'
func inTheConditionOfStandardFirst(_ notes: NotificationSequence<Ordered>) async -> Ordered? {
    await notes.first { $0.cuont > 1 }  //!
}

// expect: type 'Ordered' has no member 'cuont'
func ofWhatCame(_ center: any TypedNotificationCenter) async {
    let note = await center.first(of: Ordered.self)
    take(note?.cuont ?? 0)  //!
}

// MARK: A wrong name or call

// expect: cannot find 'tak' in scope
func nameMistyped(_ center: any TypedNotificationCenter) -> NotificationToken {
    center.addObserver(for: Ordered.self) { note in tak(note.count) }  //!
}

// expect: cannot find 'shpo' in scope
func senderMistyped(_ center: any TypedNotificationCenter, _ stock: Stock) {
    center.addObserver(stock, on: .actor, for: Ordered.self, sender: shpo) { me, note in me.add(note.count) }  //!
}

// expect: cannot convert value of type 'Shop' to expected argument type 'Int'
func anotherArgument(_ center: any TypedNotificationCenter) -> NotificationToken {
    center.addObserver(for: Ordered.self) { note in
        take(note.sender)  //!
    }
}

// expect: cannot convert value of type 'Shop' to expected argument type 'Int'
func anotherArgumentInAnActor(_ center: any TypedNotificationCenter, _ stock: Stock) {
    center.addObserver(stock, on: .actor, for: Ordered.self) { me, note in me.add(note.sender) }  //!
}

// expect: missing argument for parameter #1 in call
func noArgument(_ center: any TypedNotificationCenter, _ stock: Stock) {
    center.addObserver(stock, on: .actor, for: Ordered.self) { me, note in me.add() }  //!
}

// expect: cannot assign value of type 'Int' to type 'String'
func anotherTypeAssigned(_ center: any TypedNotificationCenter, _ window: Window) {
    center.addObserver(window, on: .main, for: Ordered.self) { me, note in me.title = note.count }  //!
}
