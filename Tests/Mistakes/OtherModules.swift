// Uses of another module's public notification, which isn't declared Sendable.

import Library
import Tidings

// expect: type 'NotSendable' does not conform to the 'Sendable' protocol
func observesAPublicNotificationInAnActor(_ center: any TypedNotificationCenter, _ stock: Stock) {
    center.addObserver(stock, on: .actor, for: NotSendable.self) { me, note in me.add(note.number) }  //!
}

// expect: type 'NotSendable' does not conform to the 'Sendable' protocol
func readsAPublicNotification(_ center: any TypedNotificationCenter) async {
    for await note in center.notifications(of: NotSendable.self) { print(note.number) }  //!
}
