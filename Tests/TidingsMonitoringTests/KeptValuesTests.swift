import Testing
import Tidings
import TidingsConformance
import TidingsServer

private struct Number: KeptKey {
    let number: Int
    /// The hash that selects the first slot of a search. Eight numbers share each hash, so the table has to compare
    /// keys.
    var word: UInt { UInt(number / 8) }
}

private final class Value: Sendable {
    let key: Number?
    private let member: Census.Member

    init(_ key: Number?, _ member: Census.Member) {
        self.key = key
        self.member = member
    }
}

private final class Row: Sendable {
    let id: ObserverDescription.ID?

    init(_ id: ObserverDescription.ID?) { self.id = id }
}

private struct Saved: TypedNotification {}
private struct Opened: TypedNotification {}

@Suite(.timeLimit(.minutes(2))) struct KeptValuesTests {
    private let census = Census()
    private let capacity = 1024

    private func table() -> KeptValues<Number, Value> {
        KeptValues { [census] key in Value(key, census.member()) }
    }

    @Test func `a value is created once and found again`() {
        let table = table()
        for _ in 0..<3 {
            for number in 0..<100 {
                var found: Int?
                table.with(Number(number: number)) { found = $0.key?.number }
                #expect(found == number)
            }
        }
        #expect(census.alive == 100)
    }

    @Test func `keys that are added to a full table share one value, and earlier keys keep their values`() {
        let table = table()
        for number in 0..<(capacity + 50) { table.with(Number(number: number)) { _ in } }
        var others: [ObjectIdentifier] = []
        for number in capacity..<(capacity + 50) {
            table.with(Number(number: number)) { value in
                #expect(value.key == nil)
                others.append(ObjectIdentifier(value))
            }
        }
        #expect(others.count == 50 && Set(others).count == 1)
        var found: [Int] = []
        for number in 0..<capacity { table.with(Number(number: number)) { found.append($0.key?.number ?? -1) } }
        #expect(found == Array(0..<capacity))
        #expect(census.alive == capacity + 1)
    }

    @Test func `releasing the table releases its values`() {
        do {
            let table = table()
            for number in 0..<10 { table.with(Number(number: number)) { _ in } }
            #expect(census.alive == 10)
        }
        #expect(census.alive == 0)
    }

    @Test func `threads that look up the same keys find the same values`() async {
        let table = table()
        let found = Lock<[Int: Set<ObjectIdentifier>]>([:])
        await onThreads(4) { _ in
            for number in 0..<500 {
                table.with(Number(number: number)) { value in
                    let identity = ObjectIdentifier(value)
                    found.withLock { _ = $0[number, default: []].insert(identity) }
                }
            }
        }
        #expect(found.withLock { $0.count } == 500)
        #expect(found.withLock { $0.values.allSatisfy { $0.count == 1 } })
        #expect(census.alive == 500)
    }

    @Test func `each observer has its own value`() {
        let center = NativeNotificationCenter()
        let tokens = (0..<100).map { _ in center.addObserver(for: Saved.self) { _ in } }
        let (table, ids) = (KeptValues<ObserverDescription.ID, Row> { Row($0) }, center.observations.map(\.id))
        var found: [ObserverDescription.ID] = []
        for id in ids + ids { table.with(id) { if let id = $0.id { found.append(id) } } }
        #expect(found == ids + ids)
        #expect(Set(ids.map(\.word)).count == 100)
        withExtendedLifetime(tokens) {}
    }

    private func makeKeys() -> [PlacedSubject] {
        let (saved, opened) = (NotificationSubject(Saved.self), NotificationSubject(Opened.self))
        let here = SourcePlace(fileID: #fileID, line: 1)
        return [
            PlacedSubject(saved), PlacedSubject(opened), PlacedSubject(saved, at: here),
            PlacedSubject(saved, at: SourcePlace(fileID: #fileID, line: 2)), PlacedSubject(saved, .task),
            PlacedSubject(saved, .task, at: here), PlacedSubject(NotificationSubject(named: "saved")),
        ]
    }

    @Test func `keys of one type differ if their places or delivery modes differ, and equal keys have equal hashes`() {
        let others = makeKeys()
        for (index, key) in makeKeys().enumerated() {
            #expect(others.firstIndex(of: key) == index)
            #expect(key.word == others[index].word)
        }
        let (saved, here) = (NotificationSubject(Saved.self), SourcePlace(fileID: #fileID, line: 1))
        #expect(PlacedSubject(saved, at: here) == PlacedSubject(saved, at: SourcePlace(fileID: #fileID, line: 1)))
    }
}
