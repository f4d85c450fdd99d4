import TestSupport
import Testing
import TidingsFoundation
import TidingsTesting

@Suite(.timeLimit(.minutes(2))) struct RemoveObserversTests {
    @Test(arguments: EveryCenter.all) @MainActor func `removing an owner's observers ends only these observers`(
        _ every: EveryCenter
    ) async {
        let (center, received) = (every.make(), ReceivedValues<String>())
        let (screen, other, projection) = (Screen(), Screen(), Projection())
        for owner in [screen, other] {
            let name = owner === screen ? "screen" : "other"
            center.addObserver(owner, for: Placed.self) { received.append("\(name) placed \($1.id)") }
            center.addObserver(owner, for: Retitled.self, sender: screen) { _, _ in received.append("\(name) renamed") }
            center.addObserver(owner, for: Shown.self) { _, _ in received.append("\(name) shown") }
            center.addObserver(owner, on: .main, for: Placed.self) { _, _ in received.append("\(name) on main") }
        }
        center.addObserver(projection, on: .actor, for: Placed.self) { me, note in me.store(note.id) }
        let token = center.addObserver(for: Placed.self) { [screen] _ in
            withExtendedLifetime(screen) { received.append("captured") }
        }
        center.removeObservers(of: screen)
        await center.deliver(Placed(id: 1))
        center.post(Retitled(sender: screen))
        center.post(Shown())
        #expect(
            received.values.sorted() == ["captured", "other on main", "other placed 1", "other renamed", "other shown"])
        center.removeObservers(of: projection)
        await center.deliver(Placed(id: 2))
        #expect(projection.received.values == [1])
        #expect(center.post(Placed()) == 3)
        token.cancel()
        withExtendedLifetime((screen, other)) {}
    }

    @Test(arguments: EveryCenter.all)
    func `the tokens of removed observers are inactive, and the owner can observe again`(
        _ every: EveryCenter
    ) {
        let (center, screen) = (every.make(), Screen())
        let token = center.addObserver(screen, for: Placed.self) { _, _ in }
        #expect(token.isActive)
        center.removeObservers(of: screen)
        #expect(!token.isActive)
        #expect(center.post(Placed()) == 0)
        center.removeObservers(of: screen)
        center.addObserver(screen, for: Placed.self) { _, _ in }
        #expect(center.post(Placed()) == 1)
    }

    @Test(arguments: EveryCenter.all) func `notifications queued for removed observers are discarded`(
        _ every: EveryCenter
    ) async {
        let (center, received) = (every.make(), ReceivedValues<Int>())
        let actor = StoppedActor()
        center.addObserver(actor, on: .actor, for: Placed.self) { _, note in received.append(note.id) }
        for id in 0..<3 { center.post(Placed(id: id)) }
        await eventually("a job is enqueued") { actor.executor.hasPending }
        center.removeObservers(of: actor)
        await actor.executor.finish { true }
        #expect(received.values.isEmpty)
        #expect(center.post(Placed()) == 0)
    }

    @Test(arguments: EveryCenter.all) func `the captures of removed observers are released`(_ every: EveryCenter) {
        let (center, screen, projection) = (every.make(), Screen(), Projection())
        weak var captured: Screen?
        do {
            let held = Screen()
            captured = held
            center.addObserver(screen, for: Placed.self) { _, _ in withExtendedLifetime(held) {} }
            center.addObserver(screen, on: .main, for: Placed.self) { _, _ in withExtendedLifetime(held) {} }
            center.addObserver(projection, on: .actor, for: Placed.self) { _, _ in withExtendedLifetime(held) {} }
        }
        #expect(captured != nil)
        center.removeObservers(of: screen)
        center.removeObservers(of: projection)
        #expect(captured == nil)
    }

    @Test func `notifications that a closed gate holds for removed observers are discarded`() async {
        let (center, screen, received) = (RecordingNotificationCenter(), Screen(), ReceivedValues<Int>())
        center.gate.close()
        center.addObserver(screen, on: .main, for: Placed.self) { received.append($1.id) }
        center.post(Placed(id: 1))
        center.removeObservers(of: screen)
        #expect(center.gate.queued.isEmpty)
        await center.gate.open()
        await center.drain()
        #expect(received.values.isEmpty)
        #expect(center.observers.isEmpty)
    }

    @Test(arguments: EveryCenter.ofThePackage) func `monitors receive an event for the end of each observer`(
        _ every: EveryCenter
    ) {
        let (center, monitor, screen) = (every.make(), RecordingMonitor(), Screen())
        let attachment = center.attach(monitor)
        center.addObserver(screen, for: Placed.self) { _, _ in }
        center.removeObservers(of: screen)
        #expect(monitor.words == ["registered", "ended"])
        attachment.detach()
    }

    @Test func `an observer can remove all observers of its owner`() {
        let (center, screen, received) = (NativeNotificationCenter(), Screen(), ReceivedValues<Int>())
        center.addObserver(screen, for: Placed.self) { me, _ in
            received.append(1)
            center.removeObservers(of: me)
        }
        center.addObserver(screen, for: Placed.self) { _, _ in received.append(2) }
        center.post(Placed())
        center.post(Placed())
        #expect(received.values == [1])
    }
}
