// Arguments with a wrong type, with a wrong or missing label, or in a wrong order.

import Foundation
import Tidings
import TidingsFoundation

// MARK: The observed type

// expect: cannot convert value of type 'Ordered' to expected argument type|instance of type 'Ordered'
func instanceObserved(_ center: any TypedNotificationCenter, _ shop: Shop) -> NotificationToken {
    center.addObserver(for: Ordered(sender: shop)) { note in take(note.count) }  //!
}

// expect: cannot convert value of type 'Emptied' to expected argument type|instance of type 'Emptied'
func instanceObservedOnTheMainActor(_ center: any TypedNotificationCenter) -> NotificationToken {
    center.addObserver(on: .main, for: Emptied()) { _ in }  //!
}

// expect: expected member name or initializer call after type name|add .*'.self'|'.self'
func typeWithoutSelf(_ center: any TypedNotificationCenter) -> NotificationToken {
    center.addObserver(for: Ordered) { note in print(note) }  //!
}

// expect: expected member name or initializer call after type name|add .*'.self'|'.self'
func typeWithoutSelfInALoop(_ center: any TypedNotificationCenter) async {
    for await note in center.notifications(of: Ordered) { print(note) }  //!
}

// expect: cannot convert value of type 'String' to expected argument type
func nameObserved(_ center: any TypedNotificationCenter) -> NotificationToken {
    center.addObserver(for: "ordered") { _ in print("ordered") }  //!
}

// expect: 'Shop' (to )?conform|type 'Shop' does not conform
func typeThatIsNoNotification(_ center: any TypedNotificationCenter, _ stock: Stock) {
    center.addObserver(stock, on: .actor, for: Shop.self) { _, note in print(note) }  //!
}

// expect: 'Shop' (to )?conform|type 'Shop' does not conform
func loopOfWhatIsNoNotification(_ center: any TypedNotificationCenter) async {
    for await note in center.notifications(of: Shop.self) { print(note) }  //!
}

// expect: 'Drawing' does not conform to the 'Sendable' protocol|requires that 'Drawing' conform to 'Sendable'
func notSendableInALoop(_ center: NotificationCenter) async {
    for await note in center.notifications(of: Drawing.self) { print(note.canvas) }  //!
}

// expect: 'Drawing' does not conform to the 'Sendable' protocol|requires that 'Drawing' conform to 'Sendable'
func notSendableAsTheFirst(_ center: any TypedNotificationCenter) async {
    _ = await center.first(of: Drawing.self)  //!
}

// expect: 'Opened' does not conform to the 'Sendable' protocol|requires that 'Opened' conform to 'Sendable'
func mainActorNotificationInATask(_ center: any TypedNotificationCenter) -> NotificationToken {
    center.addObserver(on: .task, for: Opened.self) { note in print(note) }  //!
}

// MARK: Senders and owners

// expect: cannot convert value of type 'Log' to expected argument type 'Shop
func anotherSenderInThePost(_ center: any TypedNotificationCenter, _ log: Log) -> NotificationToken {
    center.addObserver(for: Ordered.self, sender: log) { note in take(note.count) }  //!
}

// expect: cannot convert value of type 'Log' to expected argument type 'Shop
func anotherSenderOfALoop(_ center: any TypedNotificationCenter, _ log: Log) async {
    for await note in center.notifications(of: Ordered.self, sender: log) { take(note.count) }  //!
}

// expect: cannot convert value of type 'Log' to expected argument type 'Shop
func anotherSenderOfTheFirst(_ center: any TypedNotificationCenter, _ log: Log) async -> Ordered? {
    await center.first(of: Ordered.self, sender: log)  //!
}

// expect: cannot convert value of type 'Shop' to expected argument type 'Void'
func senderOfWhatHasNone(_ center: any TypedNotificationCenter, _ shop: Shop) -> NotificationToken {
    center.addObserver(for: Emptied.self, sender: shop) { _ in }  //!
}

// expect: cannot convert value of type 'Shop.Type' to expected argument type 'Shop
func typeOfTheSender(_ center: any TypedNotificationCenter, _ stock: Stock) {
    center.addObserver(stock, on: .actor, for: Ordered.self, sender: Shop.self) { me, note in me.add(note.count) }  //!
}

// expect: requires that 'Address' be a class type
func structAsAnOwner(_ center: any TypedNotificationCenter, _ address: Address) {
    center.addObserver(address, for: Ordered.self) { _, note in take(note.count) }  //!
}

// expect: 'Stock\?' .*(unwrapped|class type)
func optionalOwner(_ center: any TypedNotificationCenter, _ stock: Stock?) {
    center.addObserver(stock, on: .actor, for: Ordered.self) { me, note in me.add(note.count) }  //!
}

// expect: 'Counter' does not conform to the 'Sendable' protocol
func ownerNotSendableElsewhere(_ center: any TypedNotificationCenter, _ counter: Counter) {
    center.addObserver(counter, on: .main, for: Ordered.self) { me, _ in me.count += 1 }  //!
}

// MARK: Labels

// expect: have 'of:', expected 'for:'|incorrect argument label in call \(have 'of:
func labelOfASequence(_ center: any TypedNotificationCenter) -> NotificationToken {
    center.addObserver(of: Ordered.self) { note in take(note.count) }  //!
}

// expect: argument 'on' must precede argument 'for'
func placeAfterTheType(_ center: any TypedNotificationCenter) -> NotificationToken {
    center.addObserver(for: Ordered.self, on: .main) { note in take(note.count) }  //!
}

// expect: argument 'on' must precede argument 'for'
func placeAfterTheTypeOfAnOwner(_ center: any TypedNotificationCenter, _ stock: Stock) {
    center.addObserver(stock, for: Ordered.self, on: .actor) { me, note in me.add(note.count) }  //!
}

// expect: argument 'sender' must precede argument 'buffering'
func senderAfterThePolicy(_ center: any TypedNotificationCenter, _ stock: Stock, _ shop: Shop) {
    center.addObserver(stock, on: .actor, for: Ordered.self, buffering: .latest(1), sender: shop) { _, _ in }  //!
}

// expect: extraneous argument label 'owner:' in call
func ownerWithALabel(_ center: any TypedNotificationCenter, _ stock: Stock) {
    center.addObserver(owner: stock, on: .actor, for: Ordered.self) { me, note in me.add(note.count) }  //!
}

// expect: missing argument label 'for:' in call
func typeWithoutALabel(_ center: any TypedNotificationCenter) -> NotificationToken {
    center.addObserver(Ordered.self) { note in take(note.count) }  //!
}

// expect: extra argument 'object'
func senderByTheOldLabel(_ center: any TypedNotificationCenter, _ shop: Shop) -> NotificationToken {
    center.addObserver(for: Ordered.self, object: shop) { note in take(note.count) }  //!
}

// expect: extra argument 'timeout'|incorrect argument label in call \(have '.*timeout:
func limitByAnotherLabel(_ center: any TypedNotificationCenter) async -> Ordered? {
    await center.first(of: Ordered.self, timeout: .seconds(1))  //!
}

// expect: missing argument label 'of:' in call
func firstWithoutALabel(_ center: any TypedNotificationCenter) async -> Ordered? {
    await center.first(Ordered.self)  //!
}

// expect: missing argument label 'of:' in call
func loopWithoutALabel(_ center: any TypedNotificationCenter) async {
    for await note in center.notifications(Ordered.self) { take(note.count) }  //!
}

// expect: cannot convert value of type 'Int' to expected argument type 'Duration
func limitWithoutAUnit(_ center: any TypedNotificationCenter) async -> Ordered? {
    await center.first(of: Ordered.self, within: 1)  //!
}

// expect: has no member 'lastest'
func policyOfALoopMistyped(_ center: any TypedNotificationCenter) async {
    for await note in center.notifications(of: Ordered.self, buffering: .lastest(1)) { take(note.count) }  //!
}

// expect: has no member 'stop'
func responseOfATaskMistyped(_ center: any TypedNotificationCenter) -> NotificationToken {
    center.addObserver(on: .task, for: Ordered.self, onFailure: .stop) { note in await wait(for: note.count) }  //!
}

// expect: 'FailureResponse'
func closureAsAResponse(_ center: any TypedNotificationCenter, _ log: Log) -> NotificationToken {
    center.addObserver(on: .task, for: Ordered.self, onFailure: { log.write("\($0)") }) { note in try check(1) }  //!
}
