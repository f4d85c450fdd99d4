import TestSupport
import Testing
import Tidings

private struct Ping: TypedNotification {}
private struct WillShow: MainActorNotification {}

/// A center that notes what is known about observers.
private struct NotingCenter: TypedNotificationCenter {
    let base = NativeNotificationCenter()
    let log = Log<Registration>()

    func post<N: TypedNotification>(_ notification: N) -> Int { base.post(notification) }

    func observe<N: TypedNotification>(
        _ type: N.Type, sender: N.Sender?, registration: Registration, using observer: @escaping @Sendable (N) -> Void
    ) -> any Observation {
        log.append(registration)
        return base.observe(type, sender: sender, registration: registration, using: observer)
    }
}

@Suite struct RegistrationTests {
    @Test func `a registration says where in the source it was made, how it is delivered, and whether its owner lives`()
    {
        let center = NotingCenter()
        var owner: Account? = Account()
        let line = #line
        var tokens = [
            center.addObserver(for: Ping.self) { _ in },
            center.addObserver(for: WillShow.self) { _ in },
        ]
        if let owner {
            tokens.append(center.addObserver(owner, for: Ping.self) { _, _ in })
            tokens.append(center.addObserver(owner, for: WillShow.self) { _, _ in })
        }
        let registrations = center.log.values
        #expect(
            registrations.map { "\($0.fileID)" } == Array(repeating: "TidingsTests/RegistrationTests.swift", count: 4))
        #expect(registrations.map(\.line) == [2, 3, 6, 7].map { UInt(line + $0) })
        #expect(registrations.map(\.delivery) == [.inPost, .inPostOnMainActor, .inPost, .inPostOnMainActor])
        #expect(registrations.map { $0.owner?.isAlive } == [nil, nil, true, true])
        owner = nil
        #expect(registrations.map { $0.owner?.isAlive } == [nil, nil, false, false])
        withExtendedLifetime(tokens) {}
    }

    @Test func `a registration can be described by who writes a center`() {
        let owner = Account()
        let registration = Registration(fileID: "M/F.swift", line: 7, delivery: .task, owner: Owner(owner))
        #expect("\(registration.fileID)" == "M/F.swift")
        #expect(registration.line == 7)
        #expect(registration.delivery == .task)
        #expect(registration.owner?.isAlive == true)
        withExtendedLifetime(owner) {}
    }

    @Test func `every delivery has its words`() {
        let deliveries: [Delivery] = [.inPost, .inPostOnMainActor, .mainActor, .actor, .task, .queue, .sequence]
        #expect(
            deliveries.map(\.description) == [
                "in the post", "in the post, on the main actor", "on the main actor", "in an actor", "in a task",
                "on a queue", "as a sequence",
            ])
        #expect(Set(deliveries).count == deliveries.count)
    }
}
