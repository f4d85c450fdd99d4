// Mistakes with descriptors, which are values and not types, and whose payloads aren't notifications.

import Foundation
import Tidings
import TidingsFoundation

// MARK: A member that does not exist

// expect: has no member 'endFrame'
func memberOfAFrameworksPayload(_ center: NotificationCenter) -> NotificationToken {
    center.addObserver(descriptor: KeyboardNotification.willShow) { payload in
        print(payload.endFrame)  //!
    }
}

// expect: has no member 'fil'
func memberInThePostOfAPayload(_ center: NotificationCenter) -> NotificationToken {
    center.addObserver(descriptor: Exported()) { payload in print(payload.fil) }  //!
}

// expect: has no member 'fil'
func memberOfAPayloadWithAnOwner(_ center: NotificationCenter, _ log: Log) {
    center.addObserver(log, descriptor: Exported()) { me, payload in me.write(payload.fil) }  //!
}

// expect: has no member 'fil'
func memberOfAPayloadOnTheMainActor(_ center: NotificationCenter, _ window: Window) {
    center.addObserver(window, on: .main, descriptor: Exported()) { me, payload in
        me.title = payload.fil  //!
    }
}

// expect: has no member 'fil'
func memberOfAPayloadInATask(_ center: NotificationCenter) -> NotificationToken {
    center.addObserver(on: .task, descriptor: Exported()) { payload in print(payload.fil) }  //!
}

// expect: has no member 'fil'
func memberOfAPayloadOnAQueue(_ center: NotificationCenter, _ log: Log, _ queue: DispatchQueue) {
    center.addObserver(log, on: .queue(queue), descriptor: Exported()) { me, payload in me.write(payload.fil) }  //!
}

// expect: has no member 'widht'
func memberOfAMainActorPayload(_ center: NotificationCenter, _ window: Window) {
    center.addObserver(window, descriptor: Resized()) { me, payload in me.title = "\(payload.widht)" }  //!
}

// expect: has no member 'fil'
func memberOfAPayloadInALoop(_ center: NotificationCenter) async {
    for await payload in center.notifications(descriptor: Exported()) { print(payload.fil) }  //!
}

// expect: has no member 'fil'
func memberOfAPayloadInACondition(_ center: NotificationCenter) -> NotificationToken {
    center.addObserver(descriptor: Exported(), where: { $0.fil.isEmpty }) { payload in print(payload) }  //!
}

// expect: has no member 'fil'
func memberOfTheFirstPayload(_ center: NotificationCenter) async {
    let payload = await center.first(descriptor: Exported()) { $0.fil.isEmpty }  //!
    print(payload as Any)
}

// expect: has no member 'willShwo'
func descriptorMistyped(_ center: NotificationCenter) -> NotificationToken {
    center.addObserver(descriptor: KeyboardNotification.willShwo) { payload in print(payload) }  //!
}

// MARK: Types instead of descriptors, and descriptors instead of types

// expect: cannot convert value of type 'KeyboardNotification' to expected argument type|instance of type 'KeyboardNotification'
func descriptorAsAType(_ center: NotificationCenter) -> NotificationToken {
    center.addObserver(for: KeyboardNotification.willShow) { payload in print(payload.endingFrame) }  //!
}

// expect: 'Ordered.Type'|incorrect argument label
func typeAsADescriptor(_ center: NotificationCenter) -> NotificationToken {
    center.addObserver(descriptor: Ordered.self) { payload in print(payload) }  //!
}

// expect: 'Exported.Type'
func typeOfADescriptor(_ center: NotificationCenter) -> NotificationToken {
    center.addObserver(descriptor: Exported.self) { payload in print(payload) }  //!
}

// expect: 'Exported.Type'
func typeOfADescriptorInAnActor(_ center: NotificationCenter, _ stock: Stock) {
    center.addObserver(stock, on: .actor, descriptor: Exported.self) { _, payload in print(payload) }  //!
}

// expect: 'Exported' (to )?conform|'Exported' does not conform
func descriptorTypeAsANotification(_ center: NotificationCenter) -> NotificationToken {
    center.addObserver(for: Exported.self) { payload in print(payload) }  //!
}

// MARK: Wrong closures and labels

// expect: expects 1 argument, but 2 were used
func twoParametersOfAPayload(_ center: NotificationCenter) -> NotificationToken {
    center.addObserver(descriptor: Exported()) { me, payload in print(payload) }  //!
}

// expect: expects 2 arguments, but 1 was used
func oneParameterOfAPayloadInAnActor(_ center: NotificationCenter, _ stock: Stock) {
    center.addObserver(stock, on: .actor, descriptor: Exported()) { payload in print(payload) }  //!
}

// expect: async|await
func awaitsInThePostOfAPayload(_ center: NotificationCenter, _ stock: Stock) -> NotificationToken {
    center.addObserver(descriptor: Exported()) { payload in await stock.add(1) }  //!
}

// expect: throw
func throwsInThePostOfAPayload(_ center: NotificationCenter) -> NotificationToken {
    center.addObserver(descriptor: Exported()) { payload in try check(1) }  //!
}

// expect: have '.*sender:.*', expected '.*object:|extra argument 'sender'
func senderOfADescriptor(_ center: NotificationCenter, _ shop: Shop) -> NotificationToken {
    center.addObserver(descriptor: Exported(), sender: shop) { payload in print(payload) }  //!
}

// expect: main actor-isolated property 'title'
func mainActorsStateInThePostOfAPayload(_ center: NotificationCenter, _ window: Window) -> NotificationToken {
    center.addObserver(descriptor: Exported()) { payload in window.title = payload.file }  //!
}

// expect: result of call to 'addObserver
func tokenOfADescriptorUnused(_ center: NotificationCenter) {
    center.addObserver(on: .main, descriptor: Exported()) { payload in print(payload) }  //!
}

// expect: is an owner
func actorWithoutAnOwnerForADescriptor(_ center: NotificationCenter) -> NotificationToken {
    center.addObserver(on: .actor, descriptor: Exported()) { payload in print(payload) }  //!
}
