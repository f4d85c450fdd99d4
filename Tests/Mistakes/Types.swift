// The declarations that the mistakes use. See `.ci/mistakes.py`.

import Foundation
import Tidings
import TidingsFoundation

final class Shop: Sendable {}
struct Ordered: TypedNotification {
    let sender: Shop
    var count = 0
    var address: Address?
}
struct Address: Sendable { var street = "" }
struct Emptied: TypedNotification {}
struct Drawing: TypedNotification { let canvas: Canvas }
struct Opened: MainActorNotification { let canvas: Canvas }
struct Closed: MainActorNotification { let number: Int }
final class Canvas { var color = 0 }

actor Stock {
    var total = 0
    func add(_ count: Int) { total += count }
    func save() async throws {}
}
@MainActor final class Window {
    var title = ""
    func show(_ note: Ordered) {}
    func load() async throws {}
}
final class Counter { var count = 0 }
final class Log: Sendable { func write(_ text: String) {} }
struct Exported: NotificationDescriptor {
    struct Payload: Sendable { let file: String }
    let name = Notification.Name("Exported")
}
@MainActor struct Resized: MainActorNotificationDescriptor {
    struct Payload { let width: Int }
    let name = Notification.Name("Resized")
}
enum Message: Sendable { case opened(Int), closed }
actor Reader: MessageConsumer { func consume(_ message: Message) {} }
func check(_ count: Int) throws {}
func take(_ count: Int) {}
func wait(for count: Int) async {}
