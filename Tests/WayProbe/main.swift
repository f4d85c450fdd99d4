import CWayTrace
import Foundation
import TidingsFoundation
import TidingsInspector
import TidingsRelay

// Goes each way that CONTRIBUTING.md describes, and prints the functions that it enters: `.ci/ways.py` reads them.

struct Plain: TypedNotification, Sendable {}
struct Kept: TypedNotification, Sendable {
    static var replay: NotificationReplay { .latest(of: Self.self) }
}
struct Sent: RemoteNotification {
    static let wireName = "way.sent"
    let number: Int
}

actor Listener {}

final class Quiet: NotificationMonitor {
    func receive(_ event: NotificationEvent) {}
}

enum Word: Sendable { case said }

final class Consumer: MessageConsumer {
    func consume(_ message: Word) {}
}

/// Goes a way: once before it counts, so that what happens once for a type has happened.
func way(_ name: String, _ go: () async -> Void) async {
    await go()
    settle()
    print("way \(name)")
    way_begin()
    await go()
    settle()
    way_end()
}

/// Waits until nothing has been entered for a while.
func settle() {
    var seen = -1
    while way_count() != seen {
        seen = way_count()
        usleep(30_000)
    }
}

func center(_ observe: (NativeNotificationCenter) -> Void) -> NativeNotificationCenter {
    let center = NativeNotificationCenter()
    observe(center)
    return center
}

var tokens: [NotificationToken] = []

let plain = center { $0.addObserver(for: Plain.self) { _ in }.store(in: &tokens) }
await way("a post") { plain.post(Plain()) }

let watched = center { $0.addObserver(for: Plain.self) { _ in }.store(in: &tokens) }
let attachment = watched.attach(Quiet())
await way("monitored") { watched.post(Plain()) }

let replaying = center { $0.addObserver(for: Kept.self) { _ in }.store(in: &tokens) }
await way("replayed") { replaying.post(Kept()) }
await way("to the late") { replaying.addObserver(for: Kept.self) { _ in }.store(in: &tokens) }

let listener = Listener()
let toActor = center { $0.addObserver(listener, on: .actor, for: Plain.self) { _, _ in } }
await way("actor") { toActor.post(Plain()) }

let toTask = center { $0.addObserver(on: .task, for: Plain.self) { _ in }.store(in: &tokens) }
await way("task") { toTask.post(Plain()) }

let toMain = center { $0.addObserver(on: .main, for: Plain.self) { _ in }.store(in: &tokens) }
await way("main actor") {
    toMain.post(Plain())
    // The main thread is this one.
    for _ in 0..<100 { await Task.yield() }
}

let queue = DispatchQueue(label: "way")
let toQueue = center { $0.addObserver(on: .queue(queue), for: Plain.self) { _ in }.store(in: &tokens) }
await way("queue") { toQueue.post(Plain()) }

let sequenced = NativeNotificationCenter()
let sequence = sequenced.notifications(of: Plain.self)
let reading = Task.detached { for await _ in sequence {} }
await way("sequence") { sequenced.post(Plain()) }

let bus = MessageBus<Word>()
let consumer = Consumer()
bus.add(consumer)
await way("bus") { bus.dispatch(.said) }

await way("deliver") { _ = await toActor.deliver(Plain()) }

let classic = NotificationCenter()
classic.addObserver(for: Plain.self) { _ in }.store(in: &tokens)
await way("Foundation") { classic.post(Plain()) }

let server = Server()
let (here, there) = (NativeNotificationCenter(), NativeNotificationCenter())
there.addObserver(for: Sent.self) { _ in }.store(in: &tokens)
let relays = try [(here, "here"), (there, "there")].map { center, name in
    try NotificationRelay(center, connector: server, options: RelayOptions(name: name), routes: [.transient(Sent.self)])
}
for relay in relays {
    Task.detached { await relay.run() }
    await relay.waitUntilReady()
}
await way("out of a process") { here.post(Sent(number: 1)) }
await way("into a process") { server.passOn() }

let inspector = Inspector(of: watched)
await way("inspector") {
    _ = inspector.respond(
        to: Inspector.Request(
            method: "GET", target: "/snapshot",
            headers: [("host", "localhost"), ("authorization", "Bearer \(inspector.token)")]))
}
exit(0)
