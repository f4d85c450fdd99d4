import TestSupport
import Testing
import Tidings
import TidingsTesting

private struct Counted: TypedNotification, Sendable {
    static var replay: NotificationReplay { .latest(of: Self.self) }
    let sender: Int
    let number: Int
}

private final class Account: Sendable {}

private struct Owned: TypedNotification, Sendable {
    static var replay: NotificationReplay { .latest(of: Self.self) }
    weak var sender: Account?
    let number: Int
}

private actor Ledger {
    private(set) var numbers: [Int] = []

    func add(_ number: Int) { numbers.append(number) }
}

/// Posts by several threads race with registrations. Each observer receives the latest notification, and then each
/// later notification once, in order.
@Suite(.offThePool) struct ReplayRaceTests {
    private static let rounds = max(AsynchronousRace.operations / 500, 4)
    private static let posts = 200

    /// The numbers that one observer received, grouped by the thread that posted them.
    private final class Journal: Sendable {
        private let entries = Lock<[Int: [Int]]>([:])

        func note(_ note: Counted) { entries.withLock { $0[note.sender, default: []].append(note.number) } }

        func numbers(of sender: Int) -> [Int] { entries.withLock { $0[sender] ?? [] } }
    }

    private struct Registered: Sendable {
        let journal: Journal
        let sender: Int?
    }

    private static func isWithoutGap(_ numbers: [Int]) -> Bool {
        zip(numbers, numbers.dropFirst()).allSatisfy { $0 + 1 == $1 }
    }

    @Test(arguments: [1, 3]) func `a late observer neither misses nor repeats later notifications`(_ posters: Int)
        async
    {
        for _ in 0..<Self.rounds {
            let center = NativeNotificationCenter()
            let (tokens, observers) = (Tokens(), ReceivedValues<Registered>())
            for sender in 0..<posters { center.post(Counted(sender: sender, number: 0)) }
            await withTaskGroup { group in
                for sender in 0..<posters {
                    group.addTask {
                        for number in 1...Self.posts { center.post(Counted(sender: sender, number: number)) }
                    }
                }
                group.addTask {
                    for count in 0..<20 {
                        let journal = Journal()
                        let sender = count % 2 == 0 ? nil : count % posters
                        tokens.append(center.addObserver(for: Counted.self, sender: sender) { journal.note($0) })
                        observers.append(Registered(journal: journal, sender: sender))
                    }
                }
            }
            for observer in observers.values {
                let (journal, sender) = (observer.journal, observer.sender)
                for poster in 0..<posters where sender == nil || sender == poster {
                    let numbers = journal.numbers(of: poster)
                    #expect(Self.isWithoutGap(numbers), "\(numbers)")
                    // With several posters, the observer may have received another poster's notification as the latest,
                    // and nothing from this poster afterwards.
                    let isExpected = posters == 1 || sender != nil || !numbers.isEmpty
                    if isExpected { #expect(numbers.last == Self.posts) }
                }
            }
        }
    }

    @Test func `an actor receives notifications in order while other threads post`() async {
        for _ in 0..<Self.rounds {
            let center = NativeNotificationCenter()
            center.post(Counted(sender: 0, number: 0))
            let actor = Ledger()
            let notes = await withTaskGroup { group in
                group.addTask {
                    for number in 1...Self.posts { center.post(Counted(sender: 0, number: number)) }
                }
                center.addObserver(actor, on: .actor, for: Counted.self) { me, note in me.add(note.number) }
                let notes = center.notifications(of: Counted.self)
                await group.waitForAll()
                return notes
            }
            // Finishing ends the sequence, and waits until the sequence and the actor have handled their notifications.
            async let finish = center.finish(within: .seconds(600))
            var read: [Int] = []
            for await note in notes { read.append(note.number) }
            #expect(await finish.isEmpty)
            for numbers in [await actor.numbers, read] {
                #expect(Self.isWithoutGap(numbers) && numbers.last == Self.posts, "\(numbers)")
            }
        }
    }

    @Test
    func `an observer isn't called after it was drained or its center was finished, even if threads post`() async {
        for round in 0..<Self.rounds {
            let center = NativeNotificationCenter()
            center.post(Counted(sender: 0, number: 0))
            let numbers = ReceivedValues<Int>()
            await withTaskGroup { group in
                group.addTask {
                    for number in 1...Self.posts { center.post(Counted(sender: 0, number: number)) }
                }
                group.addTask {
                    let token = center.addObserver(for: Counted.self) { numbers.append($0.number) }
                    if round % 2 == 0 {
                        await token.cancelAndDrain()
                    } else {
                        await center.finish(within: .seconds(600))
                    }
                    let count = numbers.count
                    center.post(Counted(sender: 0, number: -1))
                    #expect(numbers.count == count)
                }
            }
            #expect(numbers.count > 0 && Self.isWithoutGap(numbers.values), "\(numbers.values)")
        }
    }

    @Test
    func `observers can register while threads post and cancel, senders are deallocated, and the center finishes`()
        async
    {
        for round in 0..<Self.rounds {
            let center = NativeNotificationCenter()
            let (tokens, observers) = (Tokens(), ReceivedValues<Journal>())
            center.post(Counted(sender: 0, number: 0))
            await withTaskGroup { group in
                for sender in 0..<2 {
                    group.addTask {
                        for number in 1...Self.posts { center.post(Counted(sender: sender, number: number)) }
                    }
                }
                for registrar in 0..<3 {
                    group.addTask {
                        for count in 0..<20 {
                            let journal = Journal()
                            let token = center.addObserver(for: Counted.self, where: { _ in count % 5 != 4 }) {
                                journal.note($0)
                            }
                            if (count + registrar) % 3 == 0 { token.cancel() } else { observers.append(journal) }
                            tokens.append(token)
                        }
                    }
                }
                // Posts from senders that are released at once, and adds late observers of the same type.
                group.addTask {
                    for number in 0..<Self.posts {
                        let account = Account()
                        center.post(Owned(sender: account, number: number))
                        center.addObserver(for: Owned.self) { _ in }.cancel()
                    }
                }
                group.addTask {
                    if round % 2 == 0 { await observers.wait(for: 1) }
                    #expect(await center.finish(within: .seconds(600)).isEmpty)
                }
            }
            // The first observer of an even round was registered before the finish, so it has received the latest.
            let hasReceived = observers.values.contains { !$0.numbers(of: 0).isEmpty || !$0.numbers(of: 1).isEmpty }
            #expect(hasReceived || round % 2 == 1)
            for sender in 0..<2 {
                let got = observers.values.map { $0.numbers(of: sender) }.filter { !$0.isEmpty }
                #expect(got.allSatisfy(Self.isWithoutGap), "\(got)")
                // A post reaches all observers or none, so all observers have received the same last post of a thread.
                #expect(Set(got.map(\.last)).count <= 1, "\(got.map(\.last))")
            }
        }
    }

    /// Every delivery in the statistics corresponds to a call. Every call is counted as a delivery, except calls with
    /// the latest notification during a registration.
    @Test func `statistics count calls correctly while threads post and register`() async {
        for _ in 0..<Self.rounds {
            let center = NativeNotificationCenter()
            let (tokens, calls) = (Tokens(), ReceivedValues<Int>())
            let posted = await withTaskGroup(of: Int.self) { group in
                for sender in 0..<2 {
                    group.addTask {
                        (1...Self.posts).reduce(0) { $0 + center.post(Counted(sender: sender, number: $1)) }
                    }
                }
                group.addTask {
                    for _ in 0..<20 {
                        tokens.append(
                            center.addObserver(for: Counted.self, where: { $0.number % 2 == 0 }) {
                                calls.append($0.number)
                            })
                    }
                    return 0
                }
                return await group.reduce(0, +)
            }
            let delivered = center.statistics.rows.reduce(0) { $0 + $1.deliveries }
            let called = calls.count
            // For each of the 20 registrations, the call with the latest notification isn't a delivery of a post. The
            // results of posts don't include calls that were delayed until a registration had finished.
            #expect(posted <= delivered && delivered <= called && called <= delivered + 20)
        }
    }
}
