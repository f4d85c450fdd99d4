import Dispatch
import TestSupport
import Testing
import Tidings
import TidingsTesting

private enum MainThread {
    private static let key = DispatchSpecificKey<Bool>()
    static let mark: Void = DispatchQueue.main.setSpecific(key: key, value: true)
    static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
}

private final class Uses: Sendable {
    let here = Atomic(0)
    let elsewhere = Atomic(0)

    func note() {
        if MainThread.isCurrent {
            here.wrappingAdd(1, ordering: .relaxed)
        } else {
            elsewhere.wrappingAdd(1, ordering: .relaxed)
        }
    }
}

// `@unchecked Sendable`, because the test itself checks that only the main actor accesses the object.
private final class Screen: @unchecked Sendable {
    private let uses: Uses
    private var shown = 0

    init(_ uses: Uses) { self.uses = uses }

    deinit {
        shown += 1
        uses.note()
    }
}

private struct Place: Hashable {
    let number: Int
    let uses: Uses

    static func == (lhs: Place, rhs: Place) -> Bool {
        lhs.uses.note()
        return lhs.number == rhs.number
    }

    func hash(into hasher: inout Hasher) {
        uses.note()
        hasher.combine(number)
    }
}

private struct Shown: MainActorNotification { let sender: Screen }
private struct Reached: MainActorNotification { let sender: Place }
private struct Said: MainActorNotification { let sender: Any }

/// Senders of main-actor notifications don't have to be `Sendable`, because only the main actor accesses them.
@Suite(.timeLimit(.ofRandomPrograms)) @MainActor struct MainActorSenderTests {
    init() { MainThread.mark }

    private func useElsewhere<N: MainActorNotification>(
        _ center: NativeNotificationCenter, _ type: N.Type, _ token: NotificationToken, until isOver: Gate
    ) -> Task<Void, Never> {
        Task.detached {
            while !isOver.isOpen {
                center.addObserver(for: type) { _ in }.cancel()
                _ = token.isActive
                _ = center.observations
                await Task.yield()
            }
        }
    }

    @Test func `promise 10, isolation: a sender object is only accessed on the main actor`() async {
        let uses = Uses()
        let center = NativeNotificationCenter()
        for _ in 0..<300 {
            var screen: Screen? = Screen(uses)
            guard let sender = screen else { return }
            let token = center.addObserver(for: Shown.self, sender: sender) { _ in }
            #expect(center.post(Shown(sender: sender)) == 1)
            let isOver = Gate()
            let others = [
                useElsewhere(center, Shown.self, token, until: isOver),
                useElsewhere(center, Shown.self, token, until: isOver),
            ]
            await Task.yield()
            screen = nil
            isOver.open()
            for other in others { await other.value }
        }
        #expect(uses.elsewhere.load(ordering: .relaxed) == 0)
    }

    @Test
    func `promise 10, isolation: only the main actor checks whether a sender object was deallocated`()
        async
    {
        let center = NativeNotificationCenter()
        var screen: Screen? = Screen(Uses())
        let token = center.addObserver(for: Shown.self, sender: screen) { _ in }
        screen = nil
        #expect(
            await Task.detached {
                center.addObserver(for: Shown.self) { _ in }.cancel()
                return token.isActive && center.observations.count == 1
            }.value)
        // This registration runs on the main actor, so the center can detect that the other sender was deallocated.
        let living = Screen(Uses())
        center.addObserver(for: Shown.self, sender: living) { _ in }.cancel()
        #expect(!token.isActive && center.observations.isEmpty)
    }

    @Test func `promise 7, senders: listing an observer with a deallocated owner doesn't access its sender`() async {
        let center = NativeNotificationCenter(keepsEnded: true)
        do {
            let (owner, screen) = (Uses(), Screen(Uses()))
            center.addObserver(owner, for: Shown.self, sender: screen) { _, _ in }
            withExtendedLifetime(owner) {}
        }
        #expect(await Task.detached { center.observations.isEmpty }.value)
        // An access to the deallocated sender would change the reason.
        #expect(center.endedObservations.map(\.reason) == [.ownerGone])
    }

    @Test func `promise 10, isolation: a sender value is only compared on the main actor`() async {
        let uses = Uses()
        let center = NativeNotificationCenter()
        let token = center.addObserver(for: Reached.self, sender: Place(number: 1, uses: uses)) { _ in }
        let isOver = Gate()
        let other = useElsewhere(center, Reached.self, token, until: isOver)
        for _ in 0..<100 {
            #expect(center.post(Reached(sender: Place(number: 1, uses: uses))) >= 1)
            await Task.yield()
        }
        isOver.open()
        await other.value
        #expect(uses.here.load(ordering: .relaxed) > 0)
        #expect(uses.elsewhere.load(ordering: .relaxed) == 0)
        withExtendedLifetime(token) {}
    }

    @Test func `promise 7, senders: a main-actor notification may have any sender`() {
        let center = NativeNotificationCenter()
        let screen = Screen(Uses())
        let tokens = [
            center.addObserver(for: Said.self, sender: screen) { _ in },
            center.addObserver(for: Said.self, sender: AnyHashable(1)) { _ in },
            center.addObserver(for: Said.self, sender: 1) { _ in },
        ]
        #expect(center.post(Said(sender: screen)) == 1)
        #expect(center.post(Said(sender: AnyHashable(1))) == 2)
        #expect(center.post(Said(sender: "1")) == 0)
        withExtendedLifetime((tokens, screen)) {}
    }
}
