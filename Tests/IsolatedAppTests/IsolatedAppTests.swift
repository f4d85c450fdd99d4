import Foundation
import TestSupport
import Testing
import Tidings
import TidingsFoundation
import TidingsInspector
import TidingsRelay
import TidingsTesting

/// Typical code of an app whose modules use the main actor by default. The code needs no additional annotations.
struct IsolatedAppTests {
    private let center = NativeNotificationCenter()

    @Test func `observers on queues may throw, and a main-actor closure receives the error`() async {
        let (archive, model) = (Archive(), Model())
        let queue = DispatchQueue(label: "IsolatedAppTests")
        archive.observe(center, on: queue, OperationQueue())
        var tokens: [NotificationToken] = []
        center.addObserver(
            on: .queue(queue), for: Saved.self, onFailure: .call { _ in Task { @MainActor in model.failures += 1 } }
        ) { note in
            try archive.store(100 * note.number)
        }
        .store(in: &tokens)
        center.addObserver(on: .queue(OwnQueue()), for: Saved.self) { note in try archive.store(1000 * note.number) }
            .store(in: &tokens)
        let receipts = [await center.deliver(Saved(number: 1)), await center.deliver(Saved(number: 2))]
        #expect(receipts.allSatisfy { $0.failures.isEmpty })
        #expect(archive.all == [1, 2, 20, 100, 200, 1000, 2000])
        let receipt = await center.deliver(Saved(number: -1))
        #expect(receipt.failures.count == 3 && receipt.failures.allSatisfy { $0.error is Refused })
        await eventually("the failure is counted", { model.failures }, until: { $0 != 0 })
        withExtendedLifetime(tokens) {}
    }

    @Test func `an object can own an observer that uses a descriptor and runs on a queue`() async throws {
        let (center, archive) = (NotificationCenter(), Archive())
        center.addObserver(archive, on: .queue(DispatchQueue(label: "IsolatedAppTests")), descriptor: Loaded()) {
            me, number in
            try me.store(number)
        }
        try center.post(Loaded(), payload: 7)
        #expect(await center.drain(within: .seconds(600)).isEmpty)
        #expect(archive.all == [7])
    }

    @Test func `a model receives the latest notifications when it starts to observe`() async {
        let (model, account) = (Model(), Account())
        center.post(Connected(isOnline: true))
        center.post(Renamed(sender: account, name: "Anna"))
        center.post(Shown(title: "Start"))
        model.show(center)
        model.begin(with: account, in: center)
        #expect(await center.drain(within: .seconds(600)).isEmpty)
        #expect(model.title == "Start" && model.isOnline && model.names == ["Anna"])
        #expect(await center.first(of: Connected.self, within: .seconds(600))?.isOnline == true)
    }

    @Test func `a group holds the observers of a screen, and finishes them`() async {
        let (model, bus) = (Model(), MessageBus<Message>())
        let group = ObserverGroup("screen", finishing: center)
        center.addObserver(model, on: .main, for: Saved.self) { me, note in me.numbers.append(note.number) }
            .store(in: group)
        center.addObserver(on: .task, for: Saved.self) { note in await model.note(note.number) }.store(in: group)
        group.add(model, to: bus)
        group.read(center.notifications(of: Connected.self)) { note in await model.connect(note.isOnline) }
        center.post(Saved(number: 1))
        center.post(Connected(isOnline: true))
        bus.dispatch(.opened)
        #expect(await group.finish(within: .seconds(600)).isEmpty)
        #expect(model.numbers.sorted() == [1, 100] && model.isOnline && model.messages == [.opened])
    }

    @Test func `an inspector shows a center and a bus, and answers requests`() async {
        let (model, bus) = (Model(), MessageBus<Message>())
        model.show(center)
        bus.add(model)
        let inspector = Inspector(of: center, bus)
        #expect(inspector.snapshot().observers.count == 4)
        let response = inspector.respond(
            to: .init(
                method: "GET", target: "/snapshot",
                headers: [("Host", "localhost"), ("Authorization", "Bearer \(inspector.token)")]))
        #expect(response.status == 200)
        for await snapshot in inspector.snapshots(every: .milliseconds(1)) {
            #expect(snapshot.buses.count == 1)
            break
        }
        withExtendedLifetime(model) {}
    }

    #if InspectorServer
        @Test func `an inspector serves its page`() async throws {
            let inspector = Inspector(of: center)
            var told = ""
            let address = try await inspector.serve { told = $0 }
            #expect(told == address && address.contains("token="))
            inspector.stop()
        }
    #endif

    @Test func `code on the main actor can declare relay routes and observe relayed notifications`() {
        let routes: [RelayRoute] = [
            .transient(OrderPlaced.self, .incoming),
            .durable(OrderPlaced.self, .both, stream: "ORDERS", group: "printers"),
        ]
        #expect(routes.count == 2)
        let model = Model()
        center.addObserver(model, on: .main, for: OrderPlaced.self) { me, note in me.numbers.append(note.number) }
        center.addObserver(model, on: .main, for: RelayFault.self) { me, _ in me.failures += 1 }
        var tokens: [NotificationToken] = []
        center.addObserver(for: RelayedNotification<OrderPlaced>.self) { received in
            if received.origin.deliveryCount > 1 { received.retry() }
        }
        .store(in: &tokens)
        #expect(center.observations.count == 3)
        withExtendedLifetime((model, tokens)) {}
    }
}

extension Model {
    func note(_ number: Int) { numbers.append(100 * number) }
    func connect(_ isOnline: Bool) { self.isOnline = isOnline }
}
