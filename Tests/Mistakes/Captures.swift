// State that a closure can't access from where it runs, or can't capture.

import Foundation
import Tidings
import TidingsFoundation

// expect: main actor-isolated instance method 'show
func mainActorOwnerInThePost(_ center: any TypedNotificationCenter, _ window: Window) {
    center.addObserver(window, for: Ordered.self) { me, note in me.show(note) }  //!
}

// expect: main actor-isolated property 'title'
func mainActorsStateInATask(_ center: any TypedNotificationCenter, _ window: Window) -> NotificationToken {
    center.addObserver(on: .task, for: Ordered.self) { note in
        window.title = "\(note.count)"  //!
    }
}

// expect: main actor-isolated property 'title'
func mainActorsStateOnAQueue(_ center: any TypedNotificationCenter, _ window: Window, _ queue: DispatchQueue) {
    center.addObserver(window, on: .queue(queue), for: Ordered.self) { me, _ in
        me.title = ""  //!
    }
}

// expect: main actor-isolated property 'title'
func mainActorsStateInACondition(_ center: any TypedNotificationCenter, _ window: Window) {
    center.addObserver(window, on: .main, for: Ordered.self, where: { _ in window.title.isEmpty }) { me, note in  //!
        me.show(note)
    }
}

// expect: actor-isolated property 'total'
func anActorsStateInThePost(_ center: any TypedNotificationCenter, _ stock: Stock) -> NotificationToken {
    center.addObserver(for: Ordered.self) { note in
        take(stock.total)  //!
    }
}

// expect: actor-isolated instance method 'add
func anActorInThePost(_ center: any TypedNotificationCenter, _ stock: Stock) {
    center.addObserver(stock, for: Ordered.self) { me, note in me.add(note.count) }  //!
}

// expect: actor-isolated property 'total'
func anActorsStateOnTheMainActor(_ center: any TypedNotificationCenter, _ stock: Stock) -> NotificationToken {
    center.addObserver(on: .main, for: Ordered.self) { note in
        take(stock.total)  //!
    }
}

// expect: capture of 'counter' with non-Sendable type 'Counter'
func notSendableInThePost(_ center: any TypedNotificationCenter) -> NotificationToken {
    let counter = Counter()
    return center.addObserver(for: Ordered.self) { note in counter.count += note.count }  //!
}

// expect: capture of 'counter' with non-Sendable type 'Counter'
func notSendableInAnActor(_ center: any TypedNotificationCenter, _ stock: Stock) {
    let counter = Counter()
    center.addObserver(stock, on: .actor, for: Ordered.self) { _, note in
        counter.count += note.count  //!
    }
}

// expect: capture of 'counter' with non-Sendable type 'Counter'
func notSendableOnAQueue(_ center: any TypedNotificationCenter, _ queue: DispatchQueue) -> NotificationToken {
    let counter = Counter()
    return center.addObserver(on: .queue(queue), for: Ordered.self) { note in
        counter.count += note.count  //!
    }
}

// expect: mutation of captured var 'sum' in concurrently-executing code
func variableInATask(_ center: any TypedNotificationCenter) -> NotificationToken {
    var sum = 0
    return center.addObserver(on: .task, for: Ordered.self) { note in
        sum += note.count  //!
    }
}

// expect: mutation of captured var 'sum' in concurrently-executing code
func variableInThePost(_ center: any TypedNotificationCenter) -> NotificationToken {
    var sum = 0
    return center.addObserver(for: Ordered.self) { note in
        sum += note.count  //!
    }
}

final class Shelf: Sendable {
    let log = Log()
}

// expect: requires explicit use of 'self' to make capture semantics explicit
extension Shelf {
    func selfInThePost(_ center: any TypedNotificationCenter) -> NotificationToken {
        center.addObserver(for: Ordered.self) { note in
            log.write("\(note.count)")  //!
        }
    }
}
