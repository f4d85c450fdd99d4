import TestSupport
import Testing
import Tidings
import TidingsConformance

private struct Ping: TypedNotification {}
private struct FromOwner: TypedNotification { let sender: Owner }
private final class Owner: Sendable {}

@Suite(.offThePool) struct ReleaseTests {
    private static let rounds = 2000

    enum End: CaseIterable, Sendable {
        case cancel, letGo, remove, drain, owner, ownerOfFiltered, sender
        case actorCancel, actorEnd, mainActorCancel, taskDrain, sequence
    }

    @Test(arguments: End.allCases) func `captures are released while other threads post`(_ end: End) async {
        let center = NativeNotificationCenter()
        let census = Census()
        let isOver = Flag()
        async let posting: Void = onThreads(2) { _ in
            while !isOver.isRaised { center.post(Ping()) }
        }
        var kept: [NotificationToken] = []
        for _ in 0..<Self.rounds { await observeOnce(in: center, census.member(), until: end, &kept) }
        isOver.raise()
        await posting
        if [.owner, .ownerOfFiltered, .sender, .actorEnd].contains(end) {
            // A center isn't notified when an object is deallocated. It checks for deallocated objects in some posts
            // and registrations.
            for _ in 0..<Self.rounds { center.addObserver(for: Ping.self) { _ in }.cancel() }
            for _ in 0..<Self.rounds { center.addObserver(for: FromOwner.self) { _ in }.cancel() }
        }
        await eventually("every object is released", { census.alive }, until: { $0 == 0 })
        #expect(census.alive == 0)
        withExtendedLifetime(kept) {}
    }

    private func observeOnce(
        in center: NativeNotificationCenter, _ member: Census.Member, until end: End, _ kept: inout [NotificationToken]
    ) async {
        let owner = Owner()
        switch end {
        case .cancel: center.addObserver(for: Ping.self) { _ in member.touch() }.cancel()
        case .letGo: _ = center.addObserver(for: Ping.self) { _ in member.touch() }
        case .remove: center.removeObserver(center.addObserver(for: Ping.self) { _ in member.touch() })
        case .drain: await center.addObserver(for: Ping.self) { _ in member.touch() }.cancelAndDrain()
        case .owner: center.addObserver(owner, for: Ping.self) { _, _ in member.touch() }
        case .ownerOfFiltered:
            center.addObserver(owner, for: FromOwner.self, sender: owner) { _, _ in member.touch() }
        case .sender:
            kept.append(center.addObserver(for: FromOwner.self, sender: owner) { _ in member.touch() })
            center.post(FromOwner(sender: owner))
        case .actorCancel:
            let actor = Keeper()
            center.addObserver(actor, on: .actor, for: Ping.self) { _, _ in member.touch() }.cancel()
        case .actorEnd:
            let actor = Keeper()
            center.addObserver(actor, on: .actor, for: Ping.self) { _, _ in member.touch() }
        case .mainActorCancel: center.addObserver(on: .main, for: Ping.self) { _ in member.touch() }.cancel()
        case .taskDrain: await center.addObserver(on: .task, for: Ping.self) { _ in member.touch() }.cancelAndDrain()
        case .sequence:
            let notes = center.notifications(of: Ping.self)
            center.post(Ping())
            withExtendedLifetime(notes) { member.touch() }
        }
    }
}

private actor Keeper {}

private final class Flag: Sendable {
    private let raised = AtomicByte(false)

    var isRaised: Bool { raised.load(ordering: .acquiring) }

    func raise() { raised.store(true, ordering: .releasing) }
}
