import Foundation
import TestSupport
import Testing
import TidingsFoundation

private struct Numbered: TypedNotification { let number: Int }

@Suite(.timeLimit(.minutes(2))) struct FoundationHealthTests {
    @Test func `the health problem of a long queue contains the name of the observer's group`() async {
        let (center, begun, go) = (NotificationCenter(), Gate(), Gate())
        let group = ObserverGroup("mail")
        center.addObserver(on: .task, for: Numbered.self) { _ in
            begun.open()
            await go.wait()
        }
        .store(in: group)
        for number in 0..<3 { center.post(Numbered(number: number)) }
        await begun.wait()
        let health = center.health(WarningThresholds(waiting: 1, call: nil))
        #expect(health.problems.map(\.kind) == [.longQueue])
        #expect(health.problems.first?.observer?.group == "mail")
        go.open()
        await center.drain(within: .seconds(600))
        #expect(center.health(WarningThresholds(waiting: 1, call: .zero)).isWell)
    }
}
