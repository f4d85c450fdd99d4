import TestSupport
import Testing
import Tidings
import TidingsTesting

private struct Ping: TypedNotification {}
private final class Model: Sendable {}

@Suite(.timeLimit(.minutes(2))) struct OwnerConditionTests {
    private let center = NativeNotificationCenter()

    @Test func `an owner that is deallocated during a post is not called, and its condition is not evaluated`() {
        let model = Lock<Model?>(Model())
        let received = ReceivedValues<String>()
        let first = center.addObserver(for: Ping.self) { _ in
            received.append("first")
            _ = model.withLock { $0.take() }
        }
        func own(_ model: Model) {
            center.addObserver(model, for: Ping.self) { _ in
                received.append("condition")
                return true
            } using: { _, _ in
                received.append("owner")
            }
        }
        if let model = model.withLock({ $0 }) { own(model) }
        center.post(Ping())
        center.post(Ping())
        #expect(received.values == ["first", "first"])
        #expect(center.observations.count == 1)
        withExtendedLifetime(first) {}
    }

    @Test func `the condition of an observer with an owner is evaluated for each notification`() {
        let (model, received) = (Model(), ReceivedValues<Int>())
        center.addObserver(model, for: Numbered.self) {
            $0.number > 1
        } using: { _, note in
            received.append(note.number)
        }
        #expect((1...3).map { center.post(Numbered(number: $0)) } == [0, 1, 1])
        #expect(received.values == [2, 3])
        withExtendedLifetime(model) {}
    }
}
