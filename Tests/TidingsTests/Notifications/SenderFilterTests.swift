import TestSupport
import Testing
import Tidings
import TidingsTesting

private struct Shapeless: Sendable {}
private struct Named: TypedNotification { let sender: String }
private struct FromAny: TypedNotification { let sender: (any Sendable)? }

@Suite(.timeLimit(.minutes(2))) struct SenderFilterTests {
    @Test func `a filter without a sender accepts every sender`() {
        for filter in [SenderFilter(nil, of: Named.self), .everyone] {
            #expect(!filter.isLimited && filter.isAlive)
            #expect(filter.accepts("a") && filter.accepts("b"))
        }
    }

    @Test func `a filter accepts its sender only`() {
        let (account, named) = (Account(), SenderFilter("a", of: Named.self))
        #expect(named.isLimited && named.accepts("a") && !named.accepts("b"))
        let ofObject = SenderFilter(account, of: Renamed.self)
        #expect(ofObject.accepts(account) && !ofObject.accepts(Account()))
        let ofAny = SenderFilter(1, of: FromAny.self)
        #expect(ofAny.accepts(1) && !ofAny.accepts(2) && !ofAny.accepts("1") && !ofAny.accepts(nil))
        let unmatched = SenderFilter(Shapeless(), of: FromAny.self)
        #expect(unmatched.isLimited && !unmatched.accepts(Shapeless()))
    }

    @Test func `the description of a filter is the description of its sender`() {
        let account = Account()
        #expect("\(SenderFilter(nil, of: Named.self))" == "every sender")
        #expect("\(SenderFilter("a", of: Named.self))" == "a")
        #expect("\(SenderFilter(1, of: FromAny.self))" == "1")
        #expect("\(SenderFilter(account, of: Renamed.self))".hasPrefix("Account (0x"))
        #expect("\(SenderFilter(Shapeless(), of: FromAny.self))" == "a sender that matches no other")
    }

    @Test func `an observer whose sender has been deallocated or can't be compared is listed, but receives nothing`() {
        let center = NativeNotificationCenter()
        var account: Account? = Account()
        let filter = SenderFilter(account, of: Renamed.self)
        #expect(filter.isAlive)
        account = nil
        #expect(!filter.isAlive)
        let registration = ObserverRegistration(fileID: #fileID, line: #line)
        let handle = center.observe(Renamed.self, sender: filter, registration: registration) { _ in }
        let token = center.addObserver(for: FromAny.self, sender: Shapeless()) { _ in }
        #expect(center.post(Renamed(sender: Account())) == 0)
        #expect(center.post(FromAny(sender: Shapeless())) == 0)
        #expect(center.observations.map(\.sender) == Array(repeating: "a sender that matches no other", count: 2))
        handle.cancel()
        withExtendedLifetime(token) {}
    }

    @Test func `a poster waits for room only in the queues of observers that its post reaches`() async throws {
        let (center, account) = (NativeNotificationCenter(), Account())
        let actor = StoppedActor()
        let senders: [any Sendable] = ["a", account, Shapeless()]
        for (sender, room) in zip(senders, [1, 1, 0]) {
            center.addObserver(
                actor, on: .actor, for: FromAny.self, sender: sender, buffering: .backPressure(room)
            ) { _, _ in }
        }
        for sender in senders { center.post(FromAny(sender: sender)) }
        #expect(center.observations.map(\.queued) == [1, 1, 0])
        for sender in ["b", 1, Account(), Shapeless(), nil] as [(any Sendable)?] {
            #expect(try await center.postWaitingForRoom(FromAny(sender: sender), within: .zero) == 0)
        }
        for sender in senders.prefix(2) {
            await #expect(throws: NoRoomError.self) {
                try await center.postWaitingForRoom(FromAny(sender: sender), within: .zero)
            }
        }
        await actor.executor.finish { center.observations.allSatisfy { $0.queued == 0 } }
    }
}
