import Testing
import TidingsTesting

@testable import Tidings
@testable import TidingsInspector

@Suite(.timeLimit(.minutes(2))) struct GrowthTests {
    private static func observer(_ id: Int, since: Double?) -> InspectorSnapshot.Observer {
        InspectorSnapshot.Observer(
            id: "\(id)", center: "center", type: "Order", place: "Shop.swift:1", delivery: "task", since: since,
            seen: 10, waiting: 0, dropped: 0, running: false, isStuck: false)
    }

    @Test func `a number counts as growing when it has grown in five different seconds`() {
        var growth = Growth()
        growth.note(at: 0)
        for second in 1...5 {
            #expect(!growth.isGrowing, "second \(second)")
            growth.add(10)
            growth.note(at: Double(second))
        }
        #expect(growth.isGrowing && growth.grown.count == 50)
    }

    @Test func `a group is as old as its oldest observer`() {
        var book = GroupBook()
        for (id, since) in ([5, nil, 3, 9] as [Double?]).enumerated() {
            let group = book.add(Self.observer(id, since: since))
            #expect(group == 1)
        }
        #expect(book.groups[1]?.row.since == 3)
    }

    @Test func `a number of a group is unknown if it is unknown for one of the observers`() {
        let center = NativeNotificationCenter()
        let token = center.addObserver(for: Ping.self) { _ in }
        let observation = center.observations[0].observer
        var book = GroupBook()
        let rows = [2, 3, nil].enumerated().map { id, calls in
            var row = Self.observer(id, since: nil)
            (row.calls, row.failed) = (calls, 1)
            return ObserverRow(
                id: observation.id, row: row, group: book.add(row),
                key: TypeKey(subject: 0, type: observation.subject))
        }
        book.note(rows.prefix(2), at: 1)
        #expect(book.groups[1]?.row.calls == 5 && book.groups[1]?.row.failed == 2)
        book.note(rows, at: 2)
        #expect(book.groups[1]?.row.calls == nil && book.groups[1]?.row.failed == 3)
        token.cancel()
    }

    @Test func `warnings about leaks recover when all observers end between two snapshots`() {
        final class Model: Sendable {}
        let clock = ManualClock()
        let center = NativeNotificationCenter()
        let inspector = Inspector(of: center, clock: clock)
        var tokens: [NotificationToken] = []
        var models: [Model] = []
        for _ in 0..<8 {
            _ = inspector.snapshot()
            for _ in 0..<5 {
                let model = Model()
                models.append(model)
                tokens.append(center.addObserver(model, for: Ping.self) { _, _ in })
            }
            clock.advance(by: .seconds(1))
        }
        let leaking = inspector.snapshot()
        #expect(Set(leaking.warnings.map(\.kind)) == [.growingObservers, .growingOwners])
        #expect(leaking.warnings.allSatisfy { $0.recovered == nil })
        for token in tokens { token.cancel() }
        let calm = inspector.snapshot()
        #expect(calm.groups.isEmpty && calm.owners.isEmpty)
        #expect(calm.warnings.map { $0.recovered != nil } == [true, true])
        withExtendedLifetime(models) {}
    }
}
