import Foundation
import Tidings
import TidingsFoundation

// MARK: A member that does not exist

// expect: has no member 'cuont'
func memberInThePost(_ center: any TypedNotificationCenter) -> NotificationToken {
    center.addObserver(for: Ordered.self) { note in print(note.cuont) }  //!
}

// expect: has no member 'cuont'
func memberOfAnActorsNotification(_ center: NativeNotificationCenter, _ stock: Stock) {
    center.addObserver(stock, on: .actor, for: Ordered.self) { stock, note in stock.add(note.cuont) }  //!
}

// expect: has no member 'cuont'
func memberInAnActorsSecondLine(_ center: some TypedNotificationCenter, _ stock: Stock) {
    center.addObserver(stock, on: .actor, for: Ordered.self, buffering: .latest(2)) { stock, note in
        let number = note.cuont  //!
        stock.add(number)
    }
}

// expect: has no member 'tilte'
func memberOfAnOwner(_ center: NotificationCenter, _ window: Window) {
    center.addObserver(window, on: .main, for: Ordered.self) { me, _ in me.tilte = "" }  //!
}

// expect: has no member 'cuont'
func memberInATask(_ center: any TypedNotificationCenter, _ stock: Stock) -> NotificationToken {
    center.addObserver(on: .task, for: Ordered.self) { note in await stock.add(note.cuont) }  //!
}

// expect: has no member 'cuont'
func memberOnAQueue(_ center: NotificationCenter, _ queue: DispatchQueue) -> NotificationToken {
    center.addObserver(on: .queue(queue), for: Ordered.self) { note in try check(note.cuont) }  //!
}

// expect: has no member 'cuont'
func memberOfFoundationsQueue(_ center: NotificationCenter) -> NotificationToken {
    center.addObserver(for: Ordered.self, queue: .main) { note in print(note.cuont) }  //!
}

// expect: has no member 'canvs'
func memberOfAMainActorNotification(_ center: NativeNotificationCenter, _ window: Window) {
    center.addObserver(window, for: Opened.self) { me, note in print(me, note.canvs) }  //!
}

// expect: has no member 'fil'
func memberOfAPayload(_ center: NotificationCenter, _ stock: Stock) {
    center.addObserver(stock, on: .actor, descriptor: Exported()) { _, payload in print(payload.fil) }  //!
}

// MARK: A closure of another shape

// expect: expects 2 arguments, but 1 was used
func oneParameterForAnOwner(_ center: any TypedNotificationCenter, _ window: Window) {
    center.addObserver(window, on: .main, for: Ordered.self) { note in print(note) }  //!
}

// expect: expects 2 arguments, but 1 was used
func oneParameterForAnActor(_ center: any TypedNotificationCenter, _ stock: Stock) {
    center.addObserver(stock, on: .actor, for: Ordered.self) { note in print(note) }  //!
}

// expect: expects 1 argument, but 2 were used
func twoParametersWithoutAnOwner(_ center: any TypedNotificationCenter) -> NotificationToken {
    center.addObserver(on: .main, for: Ordered.self) { me, note in print(me, note) }  //!
}

// expect: cannot await or throw
func awaitsInThePost(_ center: any TypedNotificationCenter, _ stock: Stock) -> NotificationToken {
    center.addObserver(for: Ordered.self) { note in await stock.add(note.count) }  //!
}

// expect: cannot await or throw
func throwsInThePost(_ center: NativeNotificationCenter) -> NotificationToken {
    center.addObserver(for: Ordered.self) { note in try check(note.count) }  //!
}

// expect: cannot await or throw
func awaitsInThePostOfTheMainActor(_ center: any TypedNotificationCenter, _ window: Window) {
    center.addObserver(window, for: Opened.self) { me, _ in try await me.load() }  //!
}

// expect: synchronous function type
func awaitsOnAQueue(_ center: NotificationCenter, _ queue: DispatchQueue, _ stock: Stock) -> NotificationToken {
    center.addObserver(on: .queue(queue), for: Ordered.self) { note in await stock.add(note.count) }  //!
}

// An unavailable overload for method references would give a better message here, and a worse one for 13 other mistakes.
// expect: 'Window\) -> \(Ordered\)|\(Window, Ordered\)
func unappliedMethod(_ center: any TypedNotificationCenter, _ window: Window) {
    center.addObserver(window, on: .main, for: Ordered.self, using: Window.show)  //!
}

// MARK: Wrong places

// expect: an actor is an owner
func actorWithoutAnOwner(_ center: any TypedNotificationCenter) -> NotificationToken {
    center.addObserver(on: .actor, for: Ordered.self) { note in print(note) }  //!
}

// expect: cannot convert value of type 'Stock' to expected argument type 'Delivery
func actorAsAPlace(_ center: any TypedNotificationCenter, _ stock: Stock) {
    center.addObserver(on: stock, for: Ordered.self) { stock, note in stock.add(note.count) }  //!
}

// expect: a task has no owner
func taskWithAnOwner(_ center: any TypedNotificationCenter, _ log: Log) {
    center.addObserver(log, on: .task, for: Ordered.self) { me, note in me.write("\(note)") }  //!
}

// expect: conform to 'Actor'
func actorDeliveryOfAnObject(_ center: any TypedNotificationCenter, _ log: Log) {
    center.addObserver(log, on: .actor, for: Ordered.self) { me, note in me.write("\(note)") }  //!
}

// expect: renamed to 'main'
func mainActorByItsName(_ center: any TypedNotificationCenter) -> NotificationToken {
    center.addObserver(on: .mainActor, for: Ordered.self) { note in print(note) }  //!
}

// expect: has no member 'mian'
func placeMistyped(_ center: any TypedNotificationCenter) -> NotificationToken {
    center.addObserver(on: .mian, for: Ordered.self) { note in print(note) }  //!
}

// expect: has no member 'lastest'
func policyMistyped(_ center: any TypedNotificationCenter, _ stock: Stock) {
    center.addObserver(stock, on: .actor, for: Ordered.self, buffering: .lastest(1)) { _, _ in }  //!
}

// expect: has no member 'stop'
func responseMistyped(_ center: any TypedNotificationCenter, _ stock: Stock) {
    center.addObserver(stock, on: .actor, for: Ordered.self, onFailure: .stop) { me, _ in try await me.save() }  //!
}

// MARK: Another type

// expect: 'Drawing' does not conform to the 'Sendable' protocol
func notSendableElsewhere(_ center: any TypedNotificationCenter) -> NotificationToken {
    center.addObserver(on: .main, for: Drawing.self) { note in print(note) }  //!
}

// expect: 'Opened' does not conform to the 'Sendable' protocol
func notSendableMainActorElsewhere(_ center: any TypedNotificationCenter, _ stock: Stock) {
    center.addObserver(stock, on: .actor, for: Opened.self) { _, note in print(note) }  //!
}

// expect: 'Counter' does not conform to the 'Sendable' protocol
func ownerNotSendable(_ center: any TypedNotificationCenter, _ counter: Counter) {
    center.addObserver(counter, for: Ordered.self) { me, _ in me.count += 1 }  //!
}

// expect: cannot convert value of type 'Window' to expected argument type 'Shop'
func anotherSender(_ center: any TypedNotificationCenter, _ stock: Stock, _ window: Window) {
    center.addObserver(stock, on: .actor, for: Ordered.self, sender: window) { _, _ in }  //!
}

// expect: Main actor-isolated property 'title'|main actor-isolated property 'title'
func mainActorsStateInThePost(_ center: any TypedNotificationCenter, _ window: Window) -> NotificationToken {
    center.addObserver(for: Ordered.self) { _ in window.title = "" }  //!
}

// expect: main actor-isolated property 'title'
func mainActorsStateInAnActor(_ center: any TypedNotificationCenter, _ stock: Stock, _ window: Window) {
    center.addObserver(stock, on: .actor, for: Ordered.self) { _, _ in window.title = "" }  //!
}

// expect: cannot find 'Orderd' in scope
func typeMistyped(_ center: any TypedNotificationCenter) -> NotificationToken {
    center.addObserver(for: Orderd.self) { note in print(note) }  //!
}

// expect: has no member 'cuont'
func memberInALoop(_ center: any TypedNotificationCenter) async {
    for await note in center.notifications(of: Ordered.self) { print(note.cuont) }  //!
}

// expect: result of call to 'addObserver
func tokenUnused(_ center: any TypedNotificationCenter) {
    center.addObserver(on: .main, for: Closed.self) { _ in }  //!
}

// MARK: Values instead of types, types instead of values, labels of other calls

// expect: takes a type, not an instance: write the type
func instanceInALoop(_ center: NotificationCenter) async {
    for await note in center.notifications(of: Emptied()) { print(note) }  //!
}

// expect: takes a type, not an instance: write the type
func instanceAsTheFirst(_ center: any TypedNotificationCenter, _ window: Window) async {
    let note = await center.first(of: Closed(number: 1), within: .seconds(1))  //!
    print(note as Any)
}

// expect: have 'for:', expected 'of:'
func labelOfAnObserverInALoop(_ center: any TypedNotificationCenter) async {
    for await note in center.notifications(for: Ordered.self, buffering: .latest(1)) { print(note.count) }  //!
}

// expect: have 'for:', expected 'of:'
func labelOfAnObserverAtTheFirst(_ center: any TypedNotificationCenter) async {
    let note = await center.first(for: Ordered.self) { $0.count > 1 }  //!
    print(note as Any)
}

// expect: a post takes an instance of a type
func typePosted(_ center: any TypedNotificationCenter) {
    center.post(Emptied.self)  //!
}

// expect: a post takes an instance of a type
@MainActor func typeOfTheMainActorPosted(_ center: NotificationCenter) {
    center.post(Closed.self)  //!
}

// expect: a delivery takes an instance of a type
func typeDelivered(_ center: any TypedNotificationCenter) async {
    await center.deliver(Emptied.self)  //!
}
