// The calls shown in the README and the articles, without a mistake. `.ci/mistakes.py` compiles each call in a separate
// file, and counts the scopes that the compiler's solver tries. Overloads that are too similar increase this number.

import Foundation
import Tidings
import TidingsFoundation

func inThePost(_ center: NativeNotificationCenter, _ shop: Shop) -> NotificationToken {
    center.addObserver(for: Ordered.self, sender: shop) { note in print("ordered: \(note.count)") }
}

func inThePostStored(_ center: NativeNotificationCenter, _ tokens: inout NotificationTokens) {
    center.addObserver(for: Emptied.self) { _ in print("emptied") }.store(in: &tokens)
}

func inThePostWithACondition(_ center: any TypedNotificationCenter, _ tokens: inout NotificationTokens) {
    center.addObserver(for: Ordered.self, where: { $0.count % 100 == 0 }) { note in print("order \(note.count)!") }
        .store(in: &tokens)
}

func ofAnOwner(_ center: any TypedNotificationCenter, _ log: Log) {
    center.addObserver(log, for: Emptied.self) { me, _ in me.write("emptied") }
}

func ofAMainActorNotification(_ center: NativeNotificationCenter, _ window: Window) {
    center.addObserver(window, for: Opened.self) { me, note in me.title = "\(note.canvas.color)" }
}

func inAnActor(_ center: any TypedNotificationCenter, _ stock: Stock, _ shop: Shop) {
    center.addObserver(stock, on: .actor, for: Ordered.self, sender: shop) { me, note in me.add(note.count) }
}

func inAnActorThatWaits(_ center: some TypedNotificationCenter, _ stock: Stock) {
    center.addObserver(stock, on: .actor, for: Ordered.self, buffering: .backPressure(100)) { me, note in
        me.add(note.count)
        try await me.save()
    }
}

func inAnActorThatFails(_ center: any TypedNotificationCenter, _ stock: Stock, _ log: Log) {
    center.addObserver(stock, on: .actor, for: Ordered.self, onFailure: .call { error in log.write("\(error)") }) {
        me, note in try await me.save()
    }
}

func onTheMainActor(_ center: any TypedNotificationCenter, _ window: Window) {
    center.addObserver(window, on: .main, for: Ordered.self) { me, _ in me.title = "" }
}

func inATask(_ center: any TypedNotificationCenter, _ stock: Stock, _ tokens: inout NotificationTokens) {
    center.addObserver(on: .task, for: Ordered.self) { note in await stock.add(note.count) }.store(in: &tokens)
}

func onAQueue(_ center: NotificationCenter, _ queue: DispatchQueue, _ tokens: inout NotificationTokens) {
    center.addObserver(on: .queue(queue), for: Ordered.self) { note in print("ordered: \(note.count)") }
        .store(in: &tokens)
}

func onFoundationsQueue(_ center: NotificationCenter, _ tokens: inout NotificationTokens) {
    center.addObserver(for: Emptied.self, queue: .main) { _ in print("emptied") }.store(in: &tokens)
}

func ofADescriptor(_ center: NotificationCenter, _ tokens: inout NotificationTokens) {
    center.addObserver(descriptor: Exported()) { payload in print(payload.file) }.store(in: &tokens)
}

func ofADescriptorInAnActor(_ center: NotificationCenter, _ stock: Stock) {
    center.addObserver(stock, on: .actor, descriptor: Exported()) { me, payload in print(me, payload.file) }
}

func ofADescriptorOnAQueue(_ center: NotificationCenter, _ log: Log, _ queue: DispatchQueue) {
    center.addObserver(log, on: .queue(queue), descriptor: Exported()) { me, payload in me.write(payload.file) }
}

func inALoop(_ center: any TypedNotificationCenter) async {
    for await note in center.notifications(of: Ordered.self, buffering: .latest(10)) { print(note.count) }
}

func ofSeveralTypes(_ center: any TypedNotificationCenter) async {
    for await note in center.notifications(of: Ordered.self, Emptied.self) { print(note) }
}

func theFirst(_ center: any TypedNotificationCenter) async -> Ordered? {
    await center.first(of: Ordered.self, within: .seconds(1)) { $0.count > 3 }
}

func theFirstOfWhatItCauses(_ center: any TypedNotificationCenter, _ stock: Stock) async -> Ordered? {
    await center.first(of: Ordered.self, performing: { await stock.add(1) })
}

func posted(_ center: any TypedNotificationCenter, _ shop: Shop) {
    center.post(Ordered(sender: shop, count: 1))
}

@MainActor func postedOnTheMainActor(_ center: NotificationCenter) {
    center.post(Closed(number: 1))
}

func delivered(_ center: any TypedNotificationCenter) async -> DeliveryReceipt {
    await center.deliver(Emptied(), within: .seconds(2))
}
