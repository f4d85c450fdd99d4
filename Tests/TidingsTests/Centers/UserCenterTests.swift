import TestSupport
import Testing
import Tidings
import TidingsTesting

private struct Ping: TypedNotification { var number = 0 }
private struct Changed: TypedNotification { let sender: Account }
private final class View { var isShown = false }
private struct WillShow: MainActorNotification { let view: View }

/// A custom center only has to implement the protocol's two required methods to support observers of all kinds.
@Suite(.timeLimit(.minutes(2))) struct UserCenterTests {
    static let centers: [@Sendable () -> any TypedNotificationCenter] = [
        { SimpleCenter() },
        { ForwardingCenter(to: NativeNotificationCenter()) },
        { ForwardingCenter(to: ForwardingCenter(to: SimpleCenter())) },
        { RecordingNotificationCenter(forwardingTo: ForwardingCenter(to: SimpleCenter())) },
    ]

    @Test(arguments: centers) func `observers with a token, an owner and a sender work on any center`(
        _ make: @Sendable () -> any TypedNotificationCenter
    ) {
        let center = make()
        let received = ReceivedValues<String>()
        let (owner, account) = (Account(), Account())
        let token = center.addObserver(for: Ping.self) { received.append("token \($0.number)") }
        center.addObserver(owner, for: Ping.self) { _, note in received.append("owner \(note.number)") }
        let ofSender = center.addObserver(for: Changed.self, sender: account) { _ in received.append("sender") }
        #expect(center.post(Ping(number: 1)) == 2)
        #expect(center.post(Changed(sender: account)) == 1)
        #expect(center.post(Changed(sender: Account())) == 0)
        token.cancel()
        center.post(Ping(number: 2))
        #expect(received.values == ["token 1", "owner 1", "sender", "owner 2"])
        withExtendedLifetime((owner, ofSender)) {}
    }

    @Test(arguments: centers) func `observers work on a center of a generic type`(
        _ make: @Sendable () -> any TypedNotificationCenter
    )
        async
    {
        func observe(_ center: some TypedNotificationCenter, _ received: ReceivedValues<Int>) async {
            let token = center.addObserver(for: Ping.self) { received.append($0.number) }
            center.post(Ping(number: 1))
            await token.cancelAndDrain()
            center.post(Ping(number: 2))
        }
        let received = ReceivedValues<Int>()
        await observe(make(), received)
        #expect(received.values == [1])
    }

    @Test(arguments: centers) @MainActor func `main-actor notifications work on any center`(
        _ make: @Sendable () -> any TypedNotificationCenter
    ) {
        let center = make()
        let view = View()
        let token = center.addObserver(for: WillShow.self) { $0.view.isShown = true }
        #expect(center.post(WillShow(view: view)) == 1)
        #expect(view.isShown)
        token.cancel()
    }

    @Test func `a center that is a class can remove only its own tokens`() {
        let (center, other) = (SimpleCenter(), SimpleCenter())
        let token = center.addObserver(for: Ping.self) { _ in }
        other.removeObserver(token)
        #expect(token.isActive)
        center.removeObserver(token)
        #expect(!token.isActive)
        center.removeObserver(token)
        #expect(center.post(Ping()) == 0)
    }

    @Test func `through an existential, a center class can remove its own tokens, and a forwarding struct can't`() {
        let base = SimpleCenter()
        let (center, forwarding): (any TypedNotificationCenter, any TypedNotificationCenter) = (
            base, ForwardingCenter(to: base)
        )
        let token = forwarding.addObserver(for: Ping.self) { _ in }
        forwarding.removeObserver(token)
        #expect(token.isActive)
        center.removeObserver(token)
        #expect(!token.isActive)
        forwarding.removeObserver(token)
    }

    @Test func `a forwarding class can't remove the tokens of its underlying center`() {
        let base = SimpleCenter()
        let center = ForwardingClass(to: base)
        let token = center.addObserver(for: Ping.self) { _ in }
        center.removeObserver(token)
        #expect(token.isActive)
        base.removeObserver(token)
        #expect(!token.isActive)
    }

    @Test func `draining an asynchronous observer of a custom center also drains the center's own observation`() async {
        let (center, drained) = (DrainingCenter(), Gate())
        center.whenDrained.withLock { $0 = { drained.open() } }
        let token = center.addObserver(on: .task, for: Ping.self) { _ in }
        await token.cancelAndDrain()
        #expect(drained.isOpen)
    }

    @Test func `a token is active until its owner is deallocated, even if its center does not support owners`() {
        let center = DrainingCenter()
        var owner: Account? = Account()
        let token = owner.map { center.addObserver($0, for: Ping.self) { _, _ in } }
        #expect(token?.isActive == true)
        owner = nil
        #expect(token?.isActive == false)
        #expect(center.post(Ping()) == 1)
        #expect(center.post(Ping()) == 0)
    }

    @Test func `a post to a token or an owner calls no observer in a center that can't list its observers`() {
        let (center, owner) = (SimpleCenter(), Account())
        let token = center.addObserver(owner, for: Ping.self) { _, _ in }
        #expect(center.post(Ping(), to: token) == 0)
        #expect(center.post(Ping(), to: owner) == 0)
        #expect(center.post(Ping()) == 1)
    }

    @Test func `the observation of an owned observer is released when it ends, even while the owner is alive`() {
        let owner = Account()
        let witness = Witness()
        do {
            let center = SimpleCenter()
            witness.observe(center) { $0.addObserver(owner, for: Ping.self) { _, _ in } }
            witness.observe(center) { $0.addObserver(owner, on: .main, for: Ping.self) { _, _ in } }
            #expect(witness.aliveCount == 2)
            witness.observe(center) { $0.addObserver(owner, for: Ping.self) { _, _ in } }.cancel()
            #expect(witness.aliveCount == 2)
        }
        #expect(witness.aliveCount == 0)
        withExtendedLifetime(owner) {}
    }
}

private final class ForwardingClass: TypedNotificationCenter {
    private let base: SimpleCenter

    init(to base: SimpleCenter) { self.base = base }

    func post<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        base.post(notification, from: place)
    }

    func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        base.observe(type, sender: sender, registration: registration, using: observer)
    }
}

/// A center that doesn't support owners, and calls `whenDrained` when one of its observations has been drained.
private final class DrainingCenter: TypedNotificationCenter {
    private let base = NativeNotificationCenter()
    let whenDrained = Lock<@Sendable () -> Void>({})

    func post<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        base.post(notification, from: place)
    }

    func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        let registration = ObserverRegistration(
            fileID: registration.fileID, line: registration.line, delivery: registration.delivery)
        return Drained(
            base: base.observe(type, sender: sender, registration: registration, using: observer),
            whenDrained: { [self] in whenDrained.withLock { $0 }() })
    }

    private struct Drained: ObserverHandle {
        let base: any ObserverHandle
        let whenDrained: @Sendable () -> Void

        var center: ObjectIdentifier? { base.center }
        var isActive: Bool { base.isActive }
        func cancel() { base.cancel() }
        func drain() async {
            await base.drain()
            whenDrained()
        }
    }
}

/// Counts the observations of a center that are still in memory.
private final class Witness: Sendable {
    private struct Sighting {
        weak let observation: (any ObserverHandle & AnyObject)?
    }

    private struct Center: TypedNotificationCenter {
        let base: SimpleCenter
        let witness: Witness

        func post<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
            base.post(notification, from: place)
        }

        func observe<N: TypedNotification>(
            _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
            using observer: @escaping @Sendable (N) -> Void
        ) -> any ObserverHandle {
            let observation = base.observe(type, sender: sender, registration: registration, using: observer)
            let sighting = Sighting(observation: observation as? any ObserverHandle & AnyObject)
            witness.sightings.withLock { $0.append(sighting) }
            return observation
        }
    }

    private let sightings = Lock<[Sighting]>([])

    var aliveCount: Int { sightings.withLock { $0 }.count { $0.observation != nil } }

    @discardableResult
    func observe(
        _ center: SimpleCenter, _ add: (any TypedNotificationCenter) -> NotificationToken
    ) -> NotificationToken {
        add(Center(base: center, witness: self))
    }
}
