import TestSupport
import Testing
import TidingsFoundation
import TidingsTesting

@MainActor private final class Limit { var id = 1 }

@Suite(.timeLimit(.minutes(2))) struct ConditionTests {
    @Test(arguments: EveryCenter.all) func `an observer is called only for notifications that its condition accepts`(
        _ every: EveryCenter
    ) {
        let (center, received, screen) = (every.make(), ReceivedValues<String>(), Screen())
        var tokens: [NotificationToken] = []
        center.addObserver(for: Placed.self, where: { $0.id > 10 }) { received.append("token \($0.id)") }
            .store(in: &tokens)
        center.addObserver(screen, for: Placed.self, where: { $0.id % 2 == 0 }) { received.append("owner \($1.id)") }
        for id in [10, 11, 12] { center.post(Placed(id: id)) }
        #expect(received.values == ["owner 10", "token 11", "token 12", "owner 12"])
        withExtendedLifetime((tokens, screen)) {}
    }

    @Test(arguments: EveryCenter.all) func `an observer can have both a sender and a condition`(_ every: EveryCenter) {
        let (center, received, screen, owner) = (every.make(), ReceivedValues<String>(), Screen(), Screen())
        var tokens: [NotificationToken] = []
        center.addObserver(for: Retitled.self, sender: screen, where: { $0.id > 1 }) {
            received.append("token \($0.id)")
        }
        .store(in: &tokens)
        center.addObserver(owner, for: Retitled.self, sender: screen, where: { $0.id > 2 }) {
            received.append("owner \($1.id)")
        }
        for id in 1...3 {
            center.post(Retitled(sender: screen, id: id))
            center.post(Retitled(sender: Screen(), id: id))
        }
        #expect(received.values == ["token 2", "token 3", "owner 3"])
        withExtendedLifetime((tokens, owner)) {}
    }

    @Test(arguments: EveryCenter.all) @MainActor func `an observer of a main-actor notification can have a condition`(
        _ every: EveryCenter
    ) {
        let (center, screen) = (every.make(), Screen())
        // The closures and the conditions are isolated to the main actor.
        var received: [String] = []
        let limit = Limit()
        var tokens: [NotificationToken] = []
        center.addObserver(for: Shown.self, where: { $0.id > limit.id }) { received.append("shown \($0.id)") }
            .store(in: &tokens)
        center.addObserver(screen, for: Shown.self, where: { $0.id > 2 }) { received.append("owner \($1.id)") }
        center.addObserver(for: Selected.self, sender: screen, where: { $0.id > 1 }) {
            received.append("selected \($0.id)")
        }
        .store(in: &tokens)
        center.addObserver(screen, for: Selected.self, sender: screen, where: { $0.id > 2 }) {
            received.append("selected owner \($1.id)")
        }
        for id in 1...3 {
            center.post(Shown(id: id))
            center.post(Selected(sender: screen, id: id))
        }
        limit.id = 10
        center.post(Shown(id: 3))
        #expect(
            received == [
                "shown 2", "selected 2", "shown 3", "owner 3", "selected 3", "selected owner 3", "owner 3",
            ])
        withExtendedLifetime(tokens) {}
    }

    @Test(arguments: EveryCenter.ofThePackage) @MainActor
    func `a rejected notification isn't counted in the result of the post`(
        _ every: EveryCenter
    ) {
        let (center, screen) = (every.make(), Screen())
        var tokens: [NotificationToken] = []
        center.addObserver(for: Placed.self) { _ in }.store(in: &tokens)
        center.addObserver(for: Placed.self, where: { $0.id > 10 }) { _ in }.store(in: &tokens)
        center.addObserver(screen, for: Placed.self, where: { $0.id > 20 }) { _, _ in }
        center.addObserver(for: Retitled.self, sender: screen, where: { $0.id > 10 }) { _ in }.store(in: &tokens)
        center.addObserver(for: Shown.self, where: { $0.id > 10 }) { _ in }.store(in: &tokens)
        #expect([1, 11, 21].map { center.post(Placed(id: $0)) } == [1, 2, 3])
        #expect([1, 11].map { center.post(Retitled(sender: screen, id: $0)) } == [0, 1])
        #expect([1, 11].map { center.post(Shown(id: $0)) } == [0, 1])
        tokens = []
        #expect([1, 21].map { center.post(Placed(id: $0)) } == [0, 1])
    }

    @Test(arguments: EveryCenter.ofThePackage) func `a condition is evaluated once per post`(_ every: EveryCenter) {
        let (center, asked) = (every.make(), ReceivedValues<Int>())
        let token = center.addObserver(
            for: Placed.self,
            where: { note in
                asked.append(note.id)
                return note.id > 1
            }
        ) { _ in }
        for id in 1...2 { center.post(Placed(id: id)) }
        #expect(asked.values == [1, 2])
        withExtendedLifetime(token) {}
    }

    @Test(arguments: EveryCenter.ofThePackage)
    func `nested posts in a condition and in an observer don't change the count of the outer post`(
        _ every: EveryCenter
    ) {
        let (center, other, counts) = (every.make(), SimpleCenter(), ReceivedValues<Int>())
        var tokens: [NotificationToken] = []
        let refuses: @Sendable (Placed) -> Bool = { _ in false }
        center.addObserver(for: Retitled.self, where: { $0.id > 0 }) { _ in }.store(in: &tokens)
        other.addObserver(for: Placed.self, where: refuses) { _ in }.store(in: &tokens)
        center.addObserver(for: Placed.self) { _ in other.post(Placed()) }.store(in: &tokens)
        center.addObserver(
            for: Placed.self,
            where: { note in
                counts.append(center.post(Retitled(sender: Screen(), id: 0)))
                return note.id > 0
            }
        ) { _ in
            counts.append(center.post(Retitled(sender: Screen(), id: 1)))
            counts.append(center.post(Retitled(sender: Screen(), id: 0)))
            // This rejection leaves `Refusal.isNoted` set. The outer call still has to be counted.
            other.post(Placed())
        }
        .store(in: &tokens)
        #expect(center.post(Placed(id: 1)) == 2)
        #expect(counts.values == [0, 1, 0])
        #expect(center.post(Placed(id: 0)) == 1)
        withExtendedLifetime(tokens) {}
    }

    @Test(arguments: EveryCenter.ofThePackage) func `monitors receive no delivery event for a rejected notification`(
        _ every: EveryCenter
    ) {
        let (center, monitor) = (every.make(), RecordingMonitor())
        let attachment = center.attach(monitor)
        let token = center.addObserver(for: Placed.self, where: { $0.id > 10 }) { _ in }
        center.post(Placed(id: 1))
        center.post(Placed(id: 11))
        token.cancel()
        #expect(
            monitor.words == ["registered", "posted to 0", "delivered in the post", "posted to 1", "ended"])
        attachment.detach()
    }

    @Test func `a condition can cancel its own observer, which is still called for that notification`() {
        let (center, tokens, received) = (NativeNotificationCenter(), Tokens(), ReceivedValues<Int>())
        tokens.append(
            center.addObserver(
                for: Placed.self,
                where: { _ in
                    tokens.cancel()
                    return true
                }
            ) { received.append($0.id) })
        // The call had already begun when the condition cancelled the observer.
        #expect(center.post(Placed(id: 1)) == 1)
        #expect(center.post(Placed(id: 2)) == 0)
        #expect(received.values == [1])
    }

    @Test func `captures of a condition are released with its observer`() {
        let center = NativeNotificationCenter()
        weak var captured: Screen?
        do {
            let screen = Screen()
            captured = screen
            let token = center.addObserver(for: Placed.self, where: { _ in screen === screen }) { _ in }
            center.post(Placed())
            token.cancel()
        }
        #expect(captured == nil)
    }
}
