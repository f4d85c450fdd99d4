import TestSupport
import Testing
import Tidings
import TidingsTesting

private struct Ping: TypedNotification {}
private struct WillShow: MainActorNotification {}

@Suite(.timeLimit(.minutes(2))) struct RegistrationTests {
    @Test
    func `a registration has the place, the delivery mode and the owner of an observer`() {
        let center = RecordingNotificationCenter()
        var owner: Account? = Account()
        let line: UInt = #line
        var tokens = [
            center.addObserver(for: Ping.self) { _ in },
            center.addObserver(for: WillShow.self) { _ in },
        ]
        if let owner {
            tokens.append(center.addObserver(owner, for: Ping.self) { _, _ in })
            tokens.append(center.addObserver(owner, for: WillShow.self) { _, _ in })
        }
        let observers = center.observers
        #expect(observers.allSatisfy { "\($0.place.fileID)" == "TidingsTests/RegistrationTests.swift" })
        #expect(observers.map(\.place.line) == [2, 3, 6, 7].map { line + $0 })
        #expect(observers.map(\.delivery) == [.inPost, .inPostOnMainActor, .inPost, .inPostOnMainActor])
        owner = nil
        #expect(center.observers.map(\.place.line) == [2, 3].map { line + $0 })
        withExtendedLifetime(tokens) {}
    }

    @Test func `a custom center can create a registration`() {
        let owner = Account()
        let registration = ObserverRegistration(
            fileID: "M/F.swift", line: 7, delivery: .task, owner: ObserverOwner(owner))
        #expect("\(registration.fileID)" == "M/F.swift")
        #expect(registration.line == 7)
        #expect("\(registration.place)" == "M/F.swift:7")
        #expect(registration.delivery == .task)
        #expect(registration.owner?.isAlive == true)
        withExtendedLifetime(owner) {}
    }

    @Test func `every delivery mode has a description`() {
        let deliveries: [DeliveryMode] = [.inPost, .inPostOnMainActor, .mainActor, .actor, .task, .queue, .sequence]
        #expect(
            deliveries.map(\.description) == [
                "in the post", "in the post, on the main actor", "on the main actor", "in an actor", "in a task",
                "on a queue", "as a sequence",
            ])
        #expect(Set(deliveries).count == deliveries.count)
    }
}
