// Mistakes in posting, delivering, joining centers, and using a bus.

import Foundation
import Tidings
import TidingsFoundation

// expect: a post takes an instance of a type that conforms to 'TypedNotification'
func textPosted(_ center: any TypedNotificationCenter) {
    center.post("ordered")  //!
}

// expect: a post takes an instance of a type that conforms to 'TypedNotification'
func structPosted(_ center: any TypedNotificationCenter, _ address: Address) {
    center.post(address)  //!
}

// expect: a post takes an instance of a type that conforms to 'TypedNotification'
func structPostedOnFoundations(_ center: NotificationCenter, _ address: Address) {
    center.post(address)  //!
}

// expect: a delivery takes an instance of a type that conforms to 'TypedNotification'
func structDelivered(_ center: any TypedNotificationCenter, _ address: Address) async {
    await center.deliver(address)  //!
}

// expect: missing argument for parameter 'sender' in call
func postedWithoutItsSender(_ center: any TypedNotificationCenter) {
    center.post(Ordered(count: 1))  //!
}

// expect: cannot convert value of type 'String' to expected argument type 'Int'
func postedWithAnotherType(_ center: any TypedNotificationCenter, _ shop: Shop) {
    center.post(Ordered(sender: shop, count: "1"))  //!
}

// expect: (call to )?main actor-isolated instance method 'post
func postedOffTheMainActor(_ center: any TypedNotificationCenter) {
    center.post(Closed(number: 1))  //!
}

// expect: extra argument 'sender'|extra argument
func postedWithASenderBeside(_ center: any TypedNotificationCenter, _ shop: Shop) {
    center.post(Emptied(), sender: shop)  //!
}

// expect: extra argument 'timeout'|incorrect argument label in call \(have '.*timeout:
func deliveredWithAnotherLabel(_ center: any TypedNotificationCenter) async {
    await center.deliver(Emptied(), timeout: .seconds(1))  //!
}

// MARK: Joining

// expect: 'join' takes a notification type
func instanceJoined(_ center: NativeNotificationCenter) -> NotificationToken {
    center.join(Emptied(), with: .default)  //!
}

// expect: has no member 'toFoundations'
func directionMistyped(_ center: NativeNotificationCenter) -> NotificationToken {
    center.join(Ordered.self, with: .default, direction: .toFoundations)  //!
}

// expect: cannot convert value of type 'NativeNotificationCenter' to expected argument type 'NotificationCenter'
func joinedWithItsOwnKind(_ center: NativeNotificationCenter, _ other: NativeNotificationCenter) -> NotificationToken {
    center.join(Ordered.self, with: other)  //!
}

// expect: result of call to 'join
func joinUnused(_ center: NativeNotificationCenter) {
    center.join(Ordered.self, with: .default)  //!
}

// expect: extra argument 'to'
func joinedTo(_ center: NativeNotificationCenter) -> NotificationToken {
    center.join(Ordered.self, to: .default)  //!
}

// MARK: The bus

// expect: 'Log' (to )?conform to 'MessageConsumer|'Log' does not conform to .*'MessageConsumer|'MessageConsumer'
func consumerThatIsNone(_ bus: MessageBus<Message>, _ log: Log) {
    bus.add(log)  //!
}

// expect: 'Message' and 'String'|'MessageConsumer<String>'|types 'Reader.Message'|'Message' be equivalent
func consumerOfAnotherMessage(_ bus: MessageBus<String>, _ reader: Reader) {
    bus.add(reader)  //!
}

// expect: has no member 'opend'
func messageMistyped(_ bus: MessageBus<Message>) {
    bus.dispatch(.opend(1))  //!
}

// expect: cannot convert value of type 'String' to expected argument type 'Int'
func messageWithAnotherValue(_ bus: MessageBus<Message>) {
    bus.dispatch(.opened("1"))  //!
}

// expect: cannot convert value of type 'Emptied' to expected argument type 'Message'
func notificationDispatched(_ bus: MessageBus<Message>) {
    bus.dispatch(Emptied())  //!
}

// expect: renamed to 'main'
func consumerOnTheMainActorByItsName(_ bus: MessageBus<Message>, _ reader: Reader) {
    bus.add(reader, on: .mainActor)  //!
}
