// Closures that don't match the call: parameters, results, `await` and `try`.

import Foundation
import Tidings
import TidingsFoundation

// MARK: Parameters

// expect: expects 1 argument, but 2 were used
func twoParametersInThePost(_ center: any TypedNotificationCenter) -> NotificationToken {
    center.addObserver(for: Ordered.self) { me, note in take(note.count) }  //!
}

// expect: expects 1 argument, but 2 were used
func twoParametersInATask(_ center: any TypedNotificationCenter) -> NotificationToken {
    center.addObserver(on: .task, for: Ordered.self) { me, note in await wait(for: note.count) }  //!
}

// expect: expects 1 argument, but 2 were used
func twoParametersOnAQueue(_ center: any TypedNotificationCenter, _ queue: DispatchQueue) -> NotificationToken {
    center.addObserver(on: .queue(queue), for: Ordered.self) { me, note in take(note.count) }  //!
}

// expect: expects 2 arguments, but 1 was used
func oneParameterOfAnOwnerInThePost(_ center: any TypedNotificationCenter, _ log: Log) {
    center.addObserver(log, for: Ordered.self) { note in take(note.count) }  //!
}

// expect: expects 2 arguments, but 1 was used
func oneParameterOfAnOwnerOnAQueue(_ center: any TypedNotificationCenter, _ log: Log, _ queue: DispatchQueue) {
    center.addObserver(log, on: .queue(queue), for: Ordered.self) { note in take(note.count) }  //!
}

// expect: expects 2 arguments, but 1 was used
func oneParameterOfAMainActorNotification(_ center: any TypedNotificationCenter, _ window: Window) {
    center.addObserver(window, for: Opened.self) { note in print(note.canvas) }  //!
}

// expect: expects 2 arguments, but 3 were used
func threeParameters(_ center: any TypedNotificationCenter, _ stock: Stock) {
    center.addObserver(stock, on: .actor, for: Ordered.self) { me, center, note in me.add(note.count) }  //!
}

// expect: expects 1 argument, which cannot be implicitly ignored
func noParameterInThePost(_ center: any TypedNotificationCenter) -> NotificationToken {
    center.addObserver(for: Emptied.self) { print("emptied") }  //!
}

// expect: expects 1 argument, which cannot be implicitly ignored
func noParameterOnTheMainActor(_ center: any TypedNotificationCenter) -> NotificationToken {
    center.addObserver(on: .main, for: Emptied.self) { print("emptied") }  //!
}

// expect: expects 2 arguments, which cannot be implicitly ignored
func noParameterOfAnOwner(_ center: any TypedNotificationCenter, _ log: Log) {
    center.addObserver(log, for: Emptied.self) { log.write("emptied") }  //!
}

// expect: cannot convert value of type '(@Sendable )?\(String\) -> \(\)'
func functionOfAnotherParameter(_ center: any TypedNotificationCenter) -> NotificationToken {
    @Sendable func show(_ text: String) {}
    return center.addObserver(for: Ordered.self, using: show)  //!
}

// expect: parameter expecting synchronous function type
func causeInThePlaceOfTheCondition(_ center: any TypedNotificationCenter, _ stock: Stock) async -> Ordered? {
    await center.first(of: Ordered.self) { await stock.add(1) }  //!
}

// MARK: Results

// expect: cannot convert return expression of type 'Int'|unexpected non-void return|type 'Int' to closure result type 'Void'
func resultInThePost(_ center: any TypedNotificationCenter) -> NotificationToken {
    center.addObserver(for: Ordered.self) { note in
        return note.count  //!
    }
}

// expect: cannot convert return expression of type 'Int'|unexpected non-void return|type 'Int' to closure result type '\(\)'
func resultInAnActor(_ center: any TypedNotificationCenter, _ stock: Stock) {
    center.addObserver(stock, on: .actor, for: Ordered.self) { me, note in
        return note.count  //!
    }
}

// expect: type 'Int' to closure result type 'Bool'
func conditionWithoutAnAnswer(_ center: any TypedNotificationCenter) -> NotificationToken {
    center.addObserver(for: Ordered.self, where: { $0.count }) { note in take(note.count) }  //!
}

// expect: 'async' call|async' to parameter of type|cannot pass function of type '.*async|synchronous
func conditionThatAwaits(_ center: any TypedNotificationCenter, _ stock: Stock) -> NotificationToken {
    center.addObserver(on: .main, for: Ordered.self, where: { await stock.total > $0.count }) { _ in }  //!
}

// MARK: await and try

// expect: is 'async' but is not marked with 'await'
func noAwaitInAnActor(_ center: any TypedNotificationCenter, _ stock: Stock) {
    center.addObserver(stock, on: .actor, for: Ordered.self) { me, note in
        try me.save()  //!
    }
}

// expect: is 'async' but is not marked with 'await'
func noAwaitInATask(_ center: any TypedNotificationCenter) -> NotificationToken {
    center.addObserver(on: .task, for: Ordered.self) { note in
        wait(for: note.count)  //!
    }
}

// expect: actor-isolated instance method .*'async'|is 'async' but is not marked|cannot be called from outside of the actor
func noAwaitForAnotherActor(_ center: any TypedNotificationCenter, _ stock: Stock) -> NotificationToken {
    center.addObserver(on: .task, for: Ordered.self) { note in
        stock.add(note.count)  //!
    }
}

// expect: call can throw, but it is not marked with 'try'
func noTryInAnActor(_ center: any TypedNotificationCenter, _ stock: Stock) {
    center.addObserver(stock, on: .actor, for: Ordered.self) { me, _ in
        await me.save()  //!
    }
}

// expect: call can throw, but it is not marked with 'try'
func noTryOnAQueue(_ center: any TypedNotificationCenter, _ queue: DispatchQueue) -> NotificationToken {
    center.addObserver(on: .queue(queue), for: Ordered.self) { note in check(note.count) }  //!
}

// expect: cannot await or throw
func throwsInManyLines(_ center: NotificationCenter) -> NotificationToken {
    center.addObserver(for: Ordered.self) { note in  //!
        let count = note.count
        try check(count)
    }
}

// expect: cannot await or throw
func throwsInThePostOfAnOwner(_ center: any TypedNotificationCenter, _ log: Log) {
    center.addObserver(log, for: Ordered.self) { me, note in try check(note.count) }  //!
}

// expect: cannot await or throw
func awaitsInThePostOfAnOwner(_ center: any TypedNotificationCenter, _ log: Log) {
    center.addObserver(log, for: Ordered.self) { me, note in await wait(for: note.count) }  //!
}

// expect: cannot await or throw
func throwsInThePostOfTheMainActor(_ center: any TypedNotificationCenter) -> NotificationToken {
    center.addObserver(for: Closed.self) { note in try check(note.number) }  //!
}

// expect: is 'async' but is not marked with 'await'
func noAwaitForADelivery(_ center: any TypedNotificationCenter) async {
    center.deliver(Emptied())  //!
}

// expect: is 'async' but is not marked with 'await'
func noAwaitForTheFirst(_ center: any TypedNotificationCenter) async -> Ordered? {
    center.first(of: Ordered.self)  //!
}

// expect: 'async' call in a function that does not support concurrency
func deliveredWithoutWaiting(_ center: any TypedNotificationCenter) {
    await center.deliver(Emptied())  //!
}

// expect: 'async' call in a function that does not support concurrency
func firstWithoutWaiting(_ center: any TypedNotificationCenter) -> Ordered? {
    await center.first(of: Ordered.self)  //!
}

// expect: for-in loop requires 'NotificationSequence<Ordered>' to conform to 'Sequence'
func loopWithoutAwait(_ center: any TypedNotificationCenter) async {
    for note in center.notifications(of: Ordered.self) { take(note.count) }  //!
}
