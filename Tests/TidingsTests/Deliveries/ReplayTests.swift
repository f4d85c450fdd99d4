import TestSupport
import Testing
import Tidings
import TidingsTesting

private struct Level: TypedNotification, Sendable {
    static var replay: NotificationReplay { .latest(of: Self.self) }
    var number = 0
}

private struct Named: TypedNotification, Sendable {
    static var replay: NotificationReplay { .latest(of: Self.self) }
    let sender: String
    var number = 0
}

private struct Watched: TypedNotification, Sendable {
    static var replay: NotificationReplay { .latest(of: Self.self) }
    weak var sender: Account?
    var number = 0
    var held: Captured?
}

private struct Rebuilt: TypedNotification, Sendable {
    static let replay = NotificationReplay.latest(
        keeping: { (note: Rebuilt) in note.number }, making: { Rebuilt(sender: $0, number: $1) })
    let sender: Account
    var number = 0
}

private struct Held: TypedNotification, Sendable {
    static var replay: NotificationReplay { .latest(of: Self.self) }
    let sender: Account
}

private struct Loaded: TypedNotification, Sendable {
    final class Load: Sendable {
        let act: @Sendable () -> Void
        init(_ act: @escaping @Sendable () -> Void) { self.act = act }
        deinit { act() }
    }

    static var replay: NotificationReplay { .latest(of: Self.self) }
    var number = 0
    var load: Load?
}

/// A monitor that posts two notifications when an observer is registered, before the observer receives anything.
private struct PostingMonitor: NotificationMonitor {
    let center: NativeNotificationCenter

    func receive(_ event: NotificationEvent) {
        guard case .registered = event else { return }
        center.post(Loaded(number: 1, load: Loaded.Load { [center] in center.post(Loaded(number: 3)) }))
        center.post(Loaded(number: 2))
    }
}

/// A type whose replay mode was created for another type.
private struct Mistaken: TypedNotification {
    static var replay: NotificationReplay { .latest(of: Level.self) }
}

private struct Shown: MainActorNotification, Sendable {
    static var replay: NotificationReplay { .latest(of: Self.self) }
    var number = 0
}

@Suite(.timeLimit(.minutes(2))) struct ReplayTests {
    private let center = NativeNotificationCenter()
    private let numbers = ReceivedValues<Int>()
    private let tokens = Tokens()

    @Test func `a late observer begins with the latest notification, and receives each later one`() {
        #expect(center.post(Level(number: 1)) == 0)
        center.post(Level(number: 2))
        let token = center.addObserver(for: Level.self) { [numbers] in numbers.append($0.number) }
        #expect(numbers.values == [2])
        #expect(center.post(Level(number: 3)) == 1)
        #expect(numbers.values == [2, 3])
        token.cancel()
        #expect(center.post(Level(number: 4)) == 0)
        #expect(numbers.values == [2, 3])
        #expect(center.observations.isEmpty)
    }

    @Test func `an observer begins with the next post if its type has no latest notification or isn't replayed`() {
        tokens.append(center.addObserver(for: Level.self) { [numbers] in numbers.append($0.number) })
        center.post(Numbered(number: 1))
        tokens.append(center.addObserver(for: Numbered.self) { [numbers] in numbers.append($0.number) })
        #expect(numbers.values == [])
        center.post(Numbered(number: 2))
        center.post(Level(number: 3))
        #expect(numbers.values == [2, 3])
    }

    @Test
    func `an observer begins with the latest notification of its sender, or of all senders`() {
        for (name, number) in [("a", 1), ("b", 2), ("a", 3), ("c", 4), ("b", 5)] {
            center.post(Named(sender: name, number: number))
        }
        for name in ["a", "b", "c", "d"] {
            tokens.append(center.addObserver(for: Named.self, sender: name) { [numbers] in numbers.append($0.number) })
        }
        #expect(numbers.values == [3, 5, 4])
        tokens.append(center.addObserver(for: Named.self) { [numbers] in numbers.append($0.number) })
        tokens.append(center.addObserver(for: Named.self, sender: nil) { [numbers] in numbers.append($0.number) })
        #expect(numbers.values == [3, 5, 4, 5, 5])
        #expect(center.post(Named(sender: "d", number: 6)) == 3)
        #expect(numbers.values == [3, 5, 4, 5, 5, 6, 6, 6])
    }

    @Test func `a sender's latest notification is released with the sender, and those of other senders stay`() throws {
        var account: Account? = Account()
        let other = Account()
        weak let released = account
        var held: Captured? = Captured()
        weak let content = held
        center.post(Watched(sender: other, number: 1))
        center.post(Watched(sender: account, number: 2, held: held))
        held = nil
        tokens.append(center.addObserver(for: Watched.self, sender: account) { [numbers] in numbers.append($0.number) })
        #expect(numbers.values == [2])
        #expect(content != nil)
        account = nil
        #expect(released == nil)
        tokens.append(center.addObserver(for: Watched.self) { [numbers] in numbers.append($0.number) })
        #expect(numbers.values == [2, 1], "the observer begins with the latest notification of a living sender")
        #expect(content == nil)
    }

    @Test func `a post releases the notifications of deallocated senders`() {
        var accounts = (0..<5).map { _ in Account() }
        let contents = accounts.map { account in
            let held = Captured()
            center.post(Watched(sender: account, held: held))
            return Weak(held)
        }
        #expect(contents.allSatisfy { $0.object != nil })
        accounts = []
        center.post(Watched(sender: nil))
        #expect(contents.allSatisfy { $0.object == nil })
    }

    private final class Weak: Sendable {
        weak let object: Captured?
        init(_ object: Captured) { self.object = object }
    }

    @Test func `a notification that holds its sender is stored without the sender, and created again for observers`() {
        var account: Account? = Account()
        weak let released = account
        if let account {
            center.post(Rebuilt(sender: account, number: 1))
            center.post(Rebuilt(sender: account, number: 2))
            tokens.append(
                center.addObserver(for: Rebuilt.self, sender: account) { [numbers, weak account] note in
                    #expect(note.sender === account)
                    numbers.append(note.number)
                })
        }
        #expect(numbers.values == [2])
        account = nil
        #expect(released == nil)
        tokens.append(center.addObserver(for: Rebuilt.self) { [numbers] in numbers.append($0.number) })
        #expect(numbers.values == [2])
    }

    @Test func `a type that cannot be stored stops the program with a message that explains the reason`() async {
        let held = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            NativeNotificationCenter().post(Held(sender: Account()))
        }
        let ofHeld = String(decoding: held?.standardErrorContent ?? [], as: UTF8.self)
        #expect(ofHeld.contains("weak var sender: Account?"))
        let mistaken = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = NativeNotificationCenter().addObserver(for: Mistaken.self) { _ in }
        }
        let ofMistaken = String(decoding: mistaken?.standardErrorContent ?? [], as: UTF8.self)
        #expect(ofMistaken.contains("was created for another type"))
    }

    @Test func `actors, the main actor, tasks and sequences begin with the latest notification`() async {
        for number in 1...3 { center.post(Level(number: number)) }
        let (ledger, main) = (Ledger(), MainLedger())
        let inTask = ReceivedValues<Int>()
        center.addObserver(ledger, on: .actor, for: Level.self) { me, note in me.add(note.number) }
        center.addObserver(main, on: .main, for: Level.self) { me, note in me.add(note.number) }
        tokens.append(center.addObserver(on: .task, for: Level.self) { inTask.append($0.number) })
        let notes = center.notifications(of: Level.self)
        let several = center.notifications(of: Level.self, Numbered.self)
        #expect(center.post(Level(number: 4)) == 5)
        await ledger.wait(for: 2)
        await main.wait(for: 2)
        await inTask.wait(for: 2)
        #expect(await ledger.numbers == [3, 4])
        #expect(await main.numbers == [3, 4])
        #expect(inTask.values == [3, 4])
        var iterator = notes.makeAsyncIterator()
        #expect(await [iterator.next()?.number, iterator.next()?.number] == [3, 4])
        var both = several.makeAsyncIterator()
        #expect(await (both.next() as? Level)?.number == 3)
        #expect(await (both.next() as? Level)?.number == 4)
    }

    @MainActor
    @Test
    func `a main-actor observer receives the latest notification before the next post, or once the main actor is free`()
        async
    {
        center.post(Shown(number: 1))
        await onOwnThread { [center, numbers, tokens] in
            tokens.append(center.addObserver(for: Shown.self) { numbers.append($0.number) })
        }
        await numbers.wait(for: 1)
        let (late, token) = (ReceivedValues<Int>(), ReceivedValues<Int>())
        tokens.append(center.addObserver(for: Shown.self) { late.append($0.number) })
        tokens.append(center.addObserver(for: Shown.self, sender: nil) { token.append($0.number) })
        #expect(center.post(Shown(number: 2)) == 3)
        #expect(numbers.values == [1, 2])
        #expect(late.values == [1, 2] && token.values == [1, 2])
        await Task.yield()
        center.post(Shown(number: 3))
        #expect(late.values == [1, 2, 3])
    }

    @Test func `an owner, a condition and a policy apply to the latest notification as to any other`() async {
        center.post(Level(number: 1))
        let owner = Captured()
        center.addObserver(owner, for: Level.self) { [numbers] _, note in numbers.append(note.number) }
        tokens.append(
            center.addObserver(for: Level.self, where: { $0.number > 1 }) { [numbers] in numbers.append($0.number) })
        #expect(numbers.values == [1])
        #expect(center.post(Level(number: 2)) == 2)
        #expect(numbers.values == [1, 2, 2])
        let token = center.addObserver(on: .task, for: Level.self, buffering: .latest(0)) { [numbers] in
            numbers.append($0.number)
        }
        #expect(token.droppedCount == 1)
        center.removeObservers(of: owner)
        #expect(center.post(Level(number: 1)) == 1)
        #expect(numbers.values == [1, 2, 2])
    }

    @Test func `an observer can post, observe and cancel while it receives the latest notification`() {
        center.post(Level(number: 1))
        tokens.append(
            center.addObserver(for: Level.self) { [center, numbers, tokens] note in
                numbers.append(note.number)
                guard note.number == 1 else { return }
                #expect(center.post(Level(number: 2)) == 0, "the observer receives the notification after this call")
                tokens.append(center.addObserver(for: Level.self) { numbers.append(10 * $0.number) })
                numbers.append(0)
            })
        #expect(numbers.values == [1, 20, 0, 2])
        #expect(center.post(Level(number: 3)) == 2)
        #expect(numbers.values == [1, 20, 0, 2, 3, 30])
        // Breaks the reference cycle between the tokens and the first observer, whose closure captures them.
        tokens.cancel()
    }

    @Test func `a finished center stores no latest notification, and new observers receive none`() async {
        var held: Captured? = Captured()
        weak let content = held
        let account = Account()
        center.post(Watched(sender: account, number: 1, held: held))
        held = nil
        #expect(await center.finish(within: .seconds(600)).isEmpty)
        #expect(content == nil)
        #expect(center.post(Watched(sender: account, number: 2)) == 0)
        tokens.append(center.addObserver(for: Watched.self) { [numbers] in numbers.append($0.number) })
        center.post(Level(number: 3))
        tokens.append(center.addObserver(for: Level.self) { [numbers] in numbers.append($0.number) })
        #expect(numbers.values == [])
        #expect(tokens.all.allSatisfy { !$0.isActive })
    }

    @Test func `stored notifications are released with the center`() {
        var held: Captured? = Captured()
        weak let content = held
        let account = Account()
        do {
            let center = NativeNotificationCenter()
            center.post(Watched(sender: account, held: held))
            held = nil
            #expect(content != nil)
        }
        #expect(content == nil)
    }

    @Test func `first(of:) begins with the latest notification, unless it is called with a performing closure`() async {
        center.post(Level(number: 1))
        #expect(await center.first(of: Level.self)?.number == 1)
        let later = await center.first(of: Level.self, performing: { [center] in center.post(Level(number: 2)) })
        #expect(later?.number == 2)
    }

    @Test func `forwarding and recording centers hand over the latest notification like the underlying center`() {
        let recorder = RecordingNotificationCenter()
        for center in [ForwardingCenter(to: center), recorder] as [any TypedNotificationCenter] {
            center.post(Level(number: 1))
            tokens.append(center.addObserver(for: Level.self) { [numbers] in numbers.append($0.number) })
        }
        #expect(numbers.values == [1, 1])
        #expect(recorder.posted(Level.self).count == 1, "receiving the latest notification is not a post")
    }

    @Test func `deliver waits for an observer that has begun with the latest notification`() async {
        center.post(Level(number: 1))
        let ledger = Ledger()
        center.addObserver(ledger, on: .actor, for: Level.self) { me, note in
            await Task.yield()
            me.add(note.number)
        }
        let receipt = await center.deliver(Level(number: 2))
        #expect(receipt.asynchronousCalls == 1 && receipt.isComplete)
        #expect(await ledger.numbers == [1, 2])
    }

    @Test
    func `receiving the latest notification is reported to monitors as a delivery of its post`() async throws {
        let monitor = RecordingMonitor()
        let attachment = center.attach(monitor)
        center.post(Level(number: 1))
        let post = try #require(monitor.posts.first)
        #expect(post.observers == 0 && post.subject.type == Level.self)
        let line: UInt = #line + 1
        tokens.append(center.addObserver(for: Level.self) { [center] _ in center.post(Numbered(number: 1)) })
        let delivery = try #require(monitor.deliveries.first)
        #expect(delivery.post == post.id && delivery.duration != nil)
        #expect(delivery.observer.place.line == line && delivery.observer.subject.type == Level.self)
        #expect(monitor.posts.last?.cause == delivery.id, "the observer's post is caused by the delivery")
        tokens.append(center.addObserver(for: Level.self, where: { $0.number > 1 }) { _ in })
        #expect(monitor.deliveries.count == 1, "the condition rejected the notification")
        let ledger = Ledger()
        center.addObserver(ledger, on: .actor, for: Level.self) { me, note in me.add(note.number) }
        await ledger.wait(for: 1)
        _ = await center.drain(within: .seconds(600))
        let queued = try #require(monitor.deliveries.last)
        #expect(queued.observer.delivery == .actor && queued.post == post.id)
        #expect(Set(monitor.deliveries.map(\.id)).count == 2)
        #expect(monitor.posts.count == 2, "receiving the latest notification is not a post")
        withExtendedLifetime(attachment) {}
    }

    @Test func `notifications that are posted during a registration are released while no lock is held`() {
        let attachment = center.attach(PostingMonitor(center: center))
        tokens.append(center.addObserver(for: Loaded.self) { [numbers] in numbers.append($0.number) })
        // The observer begins with the second notification. The first notification isn't delivered, and its release
        // posts the third one.
        #expect(numbers.values == [2, 3])
        withExtendedLifetime(attachment) {}
    }

    @Test func `a post doesn't count an observer that received its notification during the registration`() {
        let (center, tokens, numbers) = (center, tokens, numbers)
        center.post(
            Loaded(
                number: 1,
                load: Loaded.Load { tokens.append(center.addObserver(for: Loaded.self) { numbers.append($0.number) }) })
        )
        // This post replaces the first notification before it calls observers. The release of the first notification
        // registers an observer.
        #expect(center.post(Loaded(number: 2)) == 0)
        #expect(numbers.values == [2])
        #expect(center.statistics.rows.map(\.deliveries) == [0])
        #expect(center.post(Loaded(number: 3)) == 1)
        #expect(numbers.values == [2, 3])
        #expect(center.statistics.rows.map(\.deliveries) == [1])
    }

    @Test func `observations and statistics contain the name of a replayed type`() {
        center.post(Level(number: 1))
        tokens.append(center.addObserver(for: Level.self) { _ in })
        #expect(center.observations.map(\.observer.subject.name) == [NotificationSubject(Level.self).name])
        #expect(center.statistics.rows.map(\.subject.name) == [NotificationSubject(Level.self).name])
    }
}
