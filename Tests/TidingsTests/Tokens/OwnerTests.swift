import TestSupport
import Testing
import Tidings
import TidingsConformance
import TidingsTesting

private struct Ping: TypedNotification {}
private struct FromModel: TypedNotification { let sender: Model }
private final class Model: Sendable { let received = ReceivedValues<String>() }
private actor Store {
    var count = 0
    nonisolated let received = ReceivedValues<String>()
}
@MainActor private final class ViewModel { nonisolated let received = ReceivedValues<String>() }
private struct WillShow: MainActorNotification {}

private final class Registering: Sendable {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    deinit { body() }

    func touch() {}
}

/// A center that ignores owners, so that a deallocated owner is only detected when its observer is called.
private struct OwnerlessCenter: TypedNotificationCenter {
    let base = NativeNotificationCenter()

    func post<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        base.post(notification, from: place)
    }

    func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        let registration = ObserverRegistration(
            fileID: registration.fileID, line: registration.line, delivery: registration.delivery)
        return base.observe(type, sender: sender, registration: registration, using: observer)
    }
}

@Suite(.timeLimit(.minutes(2))) struct OwnerTests {
    let center = NativeNotificationCenter()

    @Test func `an owner may be a class, an actor or a main-actor class`() {
        let (model, store) = (Model(), Store())
        center.addObserver(model, for: Ping.self) { me, _ in me.received.append("model") }
        center.addObserver(store, for: Ping.self) { me, _ in me.received.append("store") }
        #expect(center.post(Ping()) == 2)
        #expect(model.received.values == ["model"])
        #expect(store.received.values == ["store"])
    }

    @Test @MainActor func `a main-actor owner can access its state in a main-actor notification`() {
        let viewModel = ViewModel()
        center.addObserver(viewModel, for: WillShow.self) { me, _ in me.received.append("shown") }
        center.post(WillShow())
        #expect(viewModel.received.values == ["shown"])
    }

    @Test func `an observer whose owner is deallocated during a post is no longer called by that post`() {
        let model = Lock<Model?>(Model())
        let received = ReceivedValues<String>()
        own(model) { _, _ in received.append("first") }
        let token = center.addObserver(for: Ping.self) { _ in _ = model.withLock { $0.take() } }
        own(model) { _, _ in received.append("last") }
        center.post(Ping())
        center.post(Ping())
        #expect(received.values == ["first"])
        withExtendedLifetime(token) {}
    }

    @Test func `an owner that is released during its observer's call lives until the call has ended`() {
        let model = Lock<Model?>(Model())
        let received = ReceivedValues<String>()
        let token = own(model) { me, _ in
            _ = model.withLock { $0.take() }
            received.append("called")
            me.received.append("still there")
        }
        #expect(token?.isActive == true)
        #expect(center.post(Ping()) == 1)
        #expect(token?.isActive == false)
        center.post(Ping())
        #expect(received.values == ["called"])
    }

    @Test func `the post that detects a deallocated owner still counts its observer, and later posts don't`() {
        let received = ReceivedValues<String>()
        for _ in 0..<3 { center.addObserver(Model(), for: Ping.self) { _, _ in received.append("called") } }
        let owner = Model()
        center.addObserver(owner, for: Ping.self) { _, _ in received.append("alive") }
        // The registrations have already ended the observations of the three deallocated owners.
        #expect(center.post(Ping()) == 1)
        var last: Model? = Model()
        if let last { center.addObserver(last, for: Ping.self) { _, _ in received.append("last") } }
        last = nil
        #expect(center.post(Ping()) == 2)
        #expect(center.post(Ping()) == 1)
        #expect(received.values == ["alive", "alive", "alive"])
        withExtendedLifetime(owner) {}
    }

    @Test(arguments: [false, true])
    @MainActor
    func `in a center that ignores owners, a call after the owner was deallocated ends the observation`(
        isConditional: Bool
    ) {
        let center = OwnerlessCenter()
        let seen = ReceivedValues<String>()
        var tokens: [NotificationToken] = []
        do {
            let (model, viewModel) = (Model(), ViewModel())
            if isConditional {
                tokens = [
                    center.addObserver(model, for: Ping.self, where: { _ in true }) { _, _ in seen.append("model") },
                    center.addObserver(viewModel, for: WillShow.self, where: { _ in true }) { _, _ in
                        seen.append("view model")
                    },
                ]
            } else {
                tokens = [
                    center.addObserver(model, for: Ping.self) { _, _ in seen.append("model") },
                    center.addObserver(viewModel, for: WillShow.self) { _, _ in seen.append("view model") },
                ]
            }
            center.post(Ping())
            center.post(WillShow())
            #expect(seen.values == ["model", "view model"])
        }
        center.post(Ping())
        center.post(WillShow())
        #expect(seen.count == 2)
        #expect(tokens.allSatisfy { !$0.isActive })
        #expect(center.post(Ping()) == 0 && center.post(WillShow()) == 0)
    }

    @Test func `an owner that is deallocated on another thread ends its observations`() async {
        let census = Census()
        let models = Lock((0..<100).map { _ in Model() })
        for model in models.withLock({ $0 }) {
            let member = census.member()
            center.addObserver(model, for: Ping.self) { _, _ in member.touch() }
        }
        await onThreads(2) { _ in
            while models.withLock({ $0.popLast() }) != nil {}
        }
        #expect(census.alive == 100)
        center.post(Ping())
        #expect(census.alive == 0)
        #expect(center.post(Ping()) == 0)
    }

    /// The events at which a center detects deallocated owners.
    enum Meeting: CaseIterable {
        case post, registration, postFromElsewhere, filteredRegistration
    }

    @Test(arguments: [1, 10, 17, 1000], Meeting.allCases)
    func `promise 6, lifetime: the closures of deallocated owners are released by the next post or registration`(
        count: Int, meeting: Meeting
    ) {
        let census = Census()
        let (source, elsewhere) = (Model(), Model())
        let isFiltered = meeting == .postFromElsewhere || meeting == .filteredRegistration
        var owners = (0..<count).map { _ in Model() }
        for owner in owners {
            let member = census.member()
            center.addObserver(owner, for: FromModel.self) { _, _ in }.cancel()
            center.addObserver(owner, for: FromModel.self, sender: isFiltered ? source : nil) { _, _ in member.touch() }
        }
        #expect(census.alive == count)
        owners = []
        switch meeting {
        case .post, .postFromElsewhere: center.post(FromModel(sender: elsewhere))
        case .registration: center.addObserver(for: FromModel.self) { _ in }.cancel()
        case .filteredRegistration: center.addObserver(for: FromModel.self, sender: elsewhere) { _ in }.cancel()
        }
        #expect(census.alive == 0)
    }

    @Test(arguments: [10, 256])
    func `promise 6, lifetime: one deallocated owner among at most 256 is noticed by the next registration`(
        count: Int
    ) {
        let (census, owners) = ownersWithOneDead(count)
        center.addObserver(for: FromModel.self) { _ in }.cancel()
        #expect(census.alive == count - 1)
        withExtendedLifetime(owners) {}
    }

    @Test(arguments: [10, 16])
    func `promise 6, lifetime: one deallocated owner among at most sixteen is noticed by the next post`(
        count: Int
    ) {
        let (census, owners) = ownersWithOneDead(count)
        center.post(FromModel(sender: owners[1]))
        #expect(census.alive == count - 1)
        withExtendedLifetime(owners) {}
    }

    /// Each registration checks 64 of the owners.
    @Test func `promise 6, lifetime: one deallocated owner among 1,000 is noticed after sixteen registrations`() {
        let (census, owners) = ownersWithOneDead(1000)
        for _ in 0..<16 { center.addObserver(for: FromModel.self) { _ in }.cancel() }
        #expect(census.alive == 999)
        withExtendedLifetime(owners) {}
    }

    @Test func `objects that register observers in their deinits are released one after the other, not nested`() {
        let depths = Lock((current: 0, most: 0, count: 0))
        var owner: Model? = Model()
        for _ in 0..<200 {
            let registering = Registering { [center] in
                depths.withLock { $0 = ($0.current + 1, max($0.most, $0.current + 1), $0.count + 1) }
                center.addObserver(for: Ping.self) { _ in }.cancel()
                depths.withLock { $0.current -= 1 }
            }
            if let owner { center.addObserver(owner, for: Ping.self) { _, _ in registering.touch() } }
        }
        owner = nil
        center.addObserver(for: Ping.self) { _ in }.cancel()
        #expect(depths.withLock { $0.most } == 1)
        #expect(depths.withLock { $0.count } == 200)
    }

    private func ownersWithOneDead(_ count: Int) -> (Census, [Model]) {
        let census = Census()
        var owners = (0..<count).map { _ in Model() }
        for owner in owners {
            let member = census.member()
            center.addObserver(owner, for: FromModel.self, sender: owners[0]) { _, _ in member.touch() }
        }
        owners.remove(at: count / 2)
        return (census, owners)
    }

    @discardableResult
    private func own(
        _ model: borrowing Lock<Model?>, _ observer: @escaping @Sendable (Model, Ping) -> Void
    ) -> NotificationToken? {
        model.withLock { $0 }.map { center.addObserver($0, for: Ping.self, using: observer) }
    }
}
