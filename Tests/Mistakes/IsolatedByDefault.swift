// Compiled with the main actor as the default isolation.

import Tidings

nonisolated final class Shop: Sendable {}
nonisolated struct Ordered: TypedNotification, Sendable {
    let sender: Shop
    var count = 0
}
struct Opened: MainActorNotification { let number: Int }
final class Window {
    var title = ""
    func wait(_ count: Int) async {}
}
actor Stock { func add(_ count: Int) {} }

// expect: has no member 'cuont'
func memberInThePost(_ center: any TypedNotificationCenter) -> NotificationToken {
    center.addObserver(for: Ordered.self) { note in print(note.cuont) }  //!
}

// expect: has no member 'cuont'
func memberOfAnActorsNotification(_ center: NativeNotificationCenter, _ stock: Stock) {
    center.addObserver(stock, on: .actor, for: Ordered.self) { stock, note in stock.add(note.cuont) }  //!
}

// expect: has no member 'numbr'
func memberOfAMainActorNotification(_ center: NativeNotificationCenter, _ window: Window) {
    center.addObserver(window, for: Opened.self) { me, note in me.title = "\(note.numbr)" }  //!
}

// expect: main actor-isolated property 'title'
func mainActorsStateInThePost(_ center: any TypedNotificationCenter, _ window: Window) -> NotificationToken {
    center.addObserver(for: Ordered.self) { _ in window.title = "" }  //!
}

// expect: has no member 'tilte'
func memberAfterAnAwaitInATask(_ center: any TypedNotificationCenter, _ window: Window) -> NotificationToken {
    center.addObserver(on: .task, for: Ordered.self) { note in
        await window.wait(note.count)
        window.tilte = ""  //!
    }
}

// expect: has no member 'cuont'
func memberOnTheMainActor(_ center: any TypedNotificationCenter, _ window: Window) {
    center.addObserver(window, on: .main, for: Ordered.self) { me, note in me.title = "\(note.cuont)" }  //!
}

// expect: main actor-isolated property 'title'
func mainActorsStateOfAnOwnerInThePost(_ center: any TypedNotificationCenter, _ window: Window) {
    center.addObserver(window, for: Ordered.self) { me, _ in me.title = "" }  //!
}

// expect: expects 1 argument, but 2 were used
func twoParametersInThePost(_ center: any TypedNotificationCenter) -> NotificationToken {
    center.addObserver(for: Ordered.self) { me, note in print(note) }  //!
}
