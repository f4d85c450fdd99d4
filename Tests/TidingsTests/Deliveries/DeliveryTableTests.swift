import TestSupport
import Testing
import Tidings
import TidingsTesting

private struct Refused: Error, Equatable {
    let number: Int
}

private struct Shown: MainActorNotification, Sendable {
    var number = 0
}

@Suite(.timeLimit(.minutes(2))) struct DeliveryTableTests {
    private let center = NativeNotificationCenter()
    private let numbers = ReceivedValues<Int>()
    private let tokens = Tokens()

    @MainActor
    @Test func `every asynchronous delivery supports a condition, which is evaluated during the post`() async {
        let (ledger, awaiting, main) = (Ledger(), Ledger(), MainLedger())
        let isOdd: @Sendable (Numbered) -> Bool = { $0.number % 2 == 1 }
        center.addObserver(ledger, on: .actor, for: Numbered.self, where: isOdd) { me, note in me.add(note.number) }
        center.addObserver(awaiting, on: .actor, for: Numbered.self, where: isOdd) { me, note in
            await Task.yield()
            me.add(note.number)
        }
        center.addObserver(main, on: .main, for: Numbered.self, where: isOdd) { me, note in me.add(note.number) }
        center.addObserver(main, on: .main, for: Numbered.self, where: isOdd) { me, note in
            await Task.yield()
            me.add(note.number)
        }
        tokens.append(
            center.addObserver(on: .main, for: Numbered.self, where: isOdd) { [numbers] in numbers.append($0.number) })
        tokens.append(
            center.addObserver(on: .task, for: Numbered.self, where: isOdd) { [numbers] in numbers.append($0.number) })
        let notes = center.notifications(of: Numbered.self, where: isOdd)
        #expect(center.post(Numbered(number: 2)) == 0)
        #expect(center.observations.allSatisfy { $0.queued == 0 })
        for number in 3...5 { center.post(Numbered(number: number)) }
        #expect(center.statistics.rows.map(\.deliveries) == [14])
        await ledger.wait(for: 2)
        await awaiting.wait(for: 2)
        await main.wait(for: 4)
        await numbers.wait(for: 4)
        #expect(await ledger.numbers == [3, 5])
        #expect(await awaiting.numbers == [3, 5])
        #expect(main.numbers.sorted() == [3, 3, 5, 5] && numbers.values.sorted() == [3, 3, 5, 5])
        var iterator = notes.makeAsyncIterator()
        #expect(await [iterator.next()?.number, iterator.next()?.number] == [3, 5])
    }

    @Test func `a condition can be combined with a sender, and rejected notifications take no room in the buffer`()
        async
    {
        let (account, other) = (Account(), Account())
        let names = center.notifications(
            of: Renamed.self, sender: account, where: { $0.name != "" }, buffering: .oldest(1))
        for (sender, name) in [(account, ""), (other, "other"), (account, ""), (account, "one"), (account, "")] {
            center.post(Renamed(sender: sender, name: name))
        }
        #expect(names.droppedCount == 0)
        var iterator = names.makeAsyncIterator()
        #expect(await iterator.next()?.name == "one")
        let ledger = Ledger()
        center.addObserver(ledger, on: .actor, for: Renamed.self, sender: account, where: { $0.name == "two" }) {
            me, _ in
            me.add(2)
        }
        center.post(Renamed(sender: account, name: "one"))
        center.post(Renamed(sender: account, name: "two"))
        await ledger.wait(for: 1)
        #expect(await ledger.numbers == [2])
    }

    @MainActor
    @Test func `a sequence of main-actor notifications supports a condition`() async {
        let notes = center.notifications(of: Shown.self, where: { $0.number > 1 })
        for number in 1...2 { center.post(Shown(number: number)) }
        var iterator = notes.makeAsyncIterator()
        #expect(await iterator.next()?.number == 2)
    }

    @Test func `monitors receive only the notifications that a condition accepts`() async {
        let monitor = RecordingMonitor()
        let attachment = center.attach(monitor)
        let ledger = Ledger()
        center.addObserver(ledger, on: .actor, for: Numbered.self, where: { $0.number > 1 }) { me, note in
            me.add(note.number)
        }
        center.post(Numbered(number: 1))
        center.post(Numbered(number: 2))
        _ = await center.drain(within: .seconds(600))
        #expect(monitor.posts.map(\.observers) == [0, 1])
        #expect(monitor.words.filter { $0.hasPrefix("queued") } == ["queued 1"])
        #expect(monitor.deliveries.count == 1)
        withExtendedLifetime(attachment) {}
    }

    @MainActor
    @Test func `a closure receives the errors of any delivery that can throw`() async {
        let (ledger, main, errors) = (Ledger(), MainLedger(), ReceivedValues<Refused?>())
        let respond: @Sendable (any Error) -> Void = { errors.append($0 as? Refused) }
        center.addObserver(
            ledger, on: .actor, for: Numbered.self, onFailure: .call { error in errors.append(error as? Refused) }
        ) {
            me, note in
            throw Refused(number: note.number)
        }
        center.addObserver(main, on: .main, for: Numbered.self, onFailure: .call(respond)) { _, note in
            throw Refused(number: note.number)
        }
        tokens.append(
            center.addObserver(on: .main, for: Numbered.self, onFailure: .call { errors.append($0 as? Refused) }) {
                note in
                throw Refused(number: note.number)
            })
        tokens.append(
            center.addObserver(on: .task, for: Numbered.self, onFailure: .call { errors.append($0 as? Refused) }) {
                note in
                throw Refused(number: note.number)
            })
        let receipt = await center.deliver(Numbered(number: 1))
        #expect(receipt.failures.count == 4)
        #expect(errors.values == Array(repeating: Refused(number: 1), count: 4))
        center.addObserver(ledger, on: .actor, for: Renamed.self, sender: nil, onFailure: .end) { _, _ in
            throw Refused(number: 2)
        }
        #expect(await center.deliver(Renamed(sender: Account())).failures.count == 1)
        #expect(center.post(Renamed(sender: Account())) == 0, "the error has ended the observation")
    }

    @Test func `events for monitors and lists of observers contain the name of an observer's group`() async throws {
        let monitor = RecordingMonitor()
        let attachment = center.attach(monitor)
        let (ledger, group) = (Ledger(), ObserverGroup("orders"))
        center.addObserver(ledger, on: .actor, for: Numbered.self) { me, note in me.add(note.number) }.store(in: group)
        center.addObserver(for: Numbered.self) { _ in }.store(in: group)
        group.read(center.notifications(of: Renamed.self)) { _ in }
        tokens.append(center.addObserver(for: Numbered.self) { _ in })
        center.post(Numbered(number: 1))
        await ledger.wait(for: 1)
        _ = await center.drain(within: .seconds(600))
        let observers = center.observations.map(\.observer)
        #expect(observers.map(\.group) == ["orders", "orders", nil, "orders"])
        #expect(observers.first?.description.hasSuffix("in the group \"orders\"") == true)
        #expect(center.observations.table.contains("orders"))
        #expect(monitor.deliveries.map(\.observer.group).filter { $0 == "orders" }.count == 2)
        let ended = ReceivedValues<String?>()
        let listener = center.attach(
            RecordingMonitor { event in if case .ended(let observer, _) = event { ended.append(observer.group) } })
        #expect(await group.finish(within: .seconds(600)).isEmpty)
        #expect(ended.values == ["orders", "orders", "orders"])
        #expect(center.observations.map(\.observer.group) == [nil])
        withExtendedLifetime((attachment, listener)) {}
    }
}
