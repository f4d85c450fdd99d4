// Invalid ways to specify where an observer runs.

import Foundation
import Tidings
import TidingsFoundation

// expect: cannot convert value of type 'Log' to expected argument type 'Delivery|'Log' (does not|to) conform
func objectAsAPlace(_ center: any TypedNotificationCenter, _ log: Log) {
    center.addObserver(on: log, for: Ordered.self) { me, note in me.write("\(note.count)") }  //!
}

// expect: cannot convert value of type '(DispatchQueue|OS_dispatch_queue)' to expected argument type 'Delivery
func queueAsAPlace(_ center: any TypedNotificationCenter, _ queue: DispatchQueue) -> NotificationToken {
    center.addObserver(on: queue, for: Ordered.self) { note in take(note.count) }  //!
}

// expect: cannot convert value of type '(DispatchQueue|OS_dispatch_queue)' to expected argument type '(Owner)?Delivery
func queueAsAPlaceOfAnOwner(_ center: any TypedNotificationCenter, _ log: Log, _ queue: DispatchQueue) {
    center.addObserver(log, on: queue, for: Ordered.self) { me, note in me.write("\(note.count)") }  //!
}

// expect: cannot convert value of type 'MainActor.Type' to expected argument type 'Delivery
func mainActorByItsType(_ center: any TypedNotificationCenter) -> NotificationToken {
    center.addObserver(on: MainActor.self, for: Ordered.self) { note in take(note.count) }  //!
}

// expect: renamed to 'main'
func mainActorByItsNameWithAnOwner(_ center: any TypedNotificationCenter, _ window: Window) {
    center.addObserver(window, on: .mainActor, for: Ordered.self) { me, note in me.show(note) }  //!
}

// expect: has no member 'mian'
func placeOfAnOwnerMistyped(_ center: any TypedNotificationCenter, _ window: Window) {
    center.addObserver(window, on: .mian, for: Ordered.self) { me, note in me.show(note) }  //!
}

// expect: 'String' (to )?conform|cannot convert value of type 'String'
func nameOfAQueue(_ center: any TypedNotificationCenter) -> NotificationToken {
    center.addObserver(on: .queue("orders"), for: Ordered.self) { note in take(note.count) }  //!
}

// expect: 'some DeliveryQueue'
func queueNotNamed(_ center: any TypedNotificationCenter) -> NotificationToken {
    center.addObserver(on: .queue, for: Ordered.self) { note in take(note.count) }  //!
}

// expect: cannot convert value of type '(DispatchQueue|OS_dispatch_queue)' to expected argument type 'OperationQueue'
func dispatchQueueForFoundations(_ center: NotificationCenter, _ queue: DispatchQueue) -> NotificationToken {
    center.addObserver(for: Ordered.self, queue: queue) { note in take(note.count) }  //!
}

// expect: 'Window' (to )?conform to 'Actor'
func actorDeliveryOfTheMainActor(_ center: any TypedNotificationCenter, _ window: Window) {
    center.addObserver(window, on: .actor, for: Ordered.self) { me, note in me.show(note) }  //!
}

// expect: expects 2 arguments|actor is an owner
func actorCaptured(_ center: any TypedNotificationCenter, _ stock: Stock) -> NotificationToken {
    center.addObserver(on: .actor, for: Ordered.self) { note in await stock.add(note.count) }  //!
}

// expect: expecting synchronous|synchronous function type
func awaitsOnAQueueWithAnOwner(_ center: any TypedNotificationCenter, _ log: Log, _ queue: DispatchQueue) {
    center.addObserver(log, on: .queue(queue), for: Ordered.self) { me, note in await wait(for: note.count) }  //!
}

// expect: synchronous function type
func awaitsOnFoundationsQueue(_ center: NotificationCenter) -> NotificationToken {
    center.addObserver(for: Ordered.self, queue: .main) { note in await wait(for: note.count) }  //!
}

// MARK: The token

// expect: result of call to 'addObserver
func tokenOfThePostUnused(_ center: any TypedNotificationCenter) {
    center.addObserver(for: Ordered.self) { note in take(note.count) }  //!
}

// expect: result of call to 'addObserver
func tokenOfATaskUnused(_ center: any TypedNotificationCenter) {
    center.addObserver(on: .task, for: Ordered.self) { note in await wait(for: note.count) }  //!
}

// expect: passing value of type 'NotificationTokens' to an inout parameter requires explicit '&'
func tokensWithoutTheSign(_ center: any TypedNotificationCenter, _ tokens: inout NotificationTokens) {
    center.addObserver(for: Ordered.self) { note in take(note.count) }.store(in: tokens)  //!
}

// expect: cannot convert value of type 'Window' to expected argument type 'NotificationToken'
func ownerRemoved(_ center: any TypedNotificationCenter, _ window: Window) {
    center.removeObserver(window)  //!
}

// MARK: The center

// expect: must be unwrapped
func optionalCenter(_ center: NativeNotificationCenter?) -> NotificationToken? {
    center.addObserver(for: Ordered.self) { note in take(note.count) }  //!
}

// expect: instance member 'addObserver' cannot be used on type 'NativeNotificationCenter'
func typeOfTheCenter(_ tokens: inout NotificationTokens) {
    NativeNotificationCenter.addObserver(for: Ordered.self) { note in take(note.count) }.store(in: &tokens)  //!
}
