import TestSupport
import Testing
import Tidings
import TidingsTesting

private enum Store {
    enum Cart {
        struct Changed: TypedNotification, Sendable {}
    }
}
private struct Boxed<Value>: TypedNotification {}
private struct Ping: TypedNotification {}
private struct Priced: TypedNotification { let sender: Int }
private struct WillShow: MainActorNotification {}

@Suite(.timeLimit(.minutes(2))) struct ObservationsTests {
    private let center = NativeNotificationCenter()

    @Test func `an observation is listed with its type, its delivery mode and its place of registration`() throws {
        let token = center.addObserver(for: Store.Cart.Changed.self) { _ in }
        let line = #line - 1
        let status = try #require(center.observations.first)
        #expect(center.observations.count == 1)
        #expect(status.subject.type == Store.Cart.Changed.self)
        #expect(status.subject.name.hasPrefix("TidingsMonitoringTests."))
        #expect(status.subject.name.hasSuffix("Store.Cart.Changed"))
        #expect("\(status.place.fileID)" == "TidingsMonitoringTests/ObservationsTests.swift")
        #expect(status.place.line == UInt(line))
        #expect(status.place.description == "TidingsMonitoringTests/ObservationsTests.swift:\(line)")
        #expect(status.delivery == .inPost)
        #expect(status.sender == nil)
        #expect(status.owner == nil)
        #expect((status.queued, status.dropped) == (0, 0))
        #expect(!status.isRunning)
        token.cancel()
        #expect(center.observations.isEmpty)
    }

    @Test func `the observations of a type are in the order of registration, with and without a sender`() {
        let account = Account()
        var tokens: [NotificationToken] = []
        for sender in [nil, account, nil, account, account, nil] {
            center.addObserver(for: Renamed.self, sender: sender) { _ in }.store(in: &tokens)
        }
        #expect(center.observations.map { $0.sender == nil } == [true, false, true, false, false, true])
        withExtendedLifetime(tokens) {}
    }

    @Test func `observers of every delivery mode are listed, and a main-actor notification has its own type`() {
        let (ledger, owner) = (Ledger(), Account())
        var tokens: [NotificationToken] = []
        center.addObserver(for: WillShow.self) { _ in }.store(in: &tokens)
        center.addObserver(on: .main, for: Numbered.self) { _ in }.store(in: &tokens)
        center.addObserver(ledger, on: .actor, for: Numbered.self) { _, _ in }
        center.addObserver(on: .task, for: Numbered.self) { _ in }.store(in: &tokens)
        let sequence = center.notifications(of: Numbered.self)
        center.addObserver(owner, for: Numbered.self) { _, _ in }
        let statuses = center.observations
        #expect(
            statuses.map(\.delivery) == [.inPostOnMainActor, .mainActor, .actor, .task, .sequence, .inPost])
        #expect(statuses.first?.subject.type == WillShow.self)
        #expect(statuses[2].owner?.hasPrefix("Ledger (0x") == true)
        #expect(statuses[5].owner?.hasPrefix("Account (0x") == true)
        #expect(Set(statuses.map(\.id)).count == 6)
        withExtendedLifetime((ledger, owner, tokens, sequence)) {}
    }

    @Test func `a value sender is shown as its type, or with the description that its type provides`() {
        struct Credentials: Hashable { let user, password: String }
        struct Branch: Hashable, CustomTidingsDescription {
            let name, secret: String
            var tidingsDescription: String { "the branch \(name)" }
        }
        struct SignedIn: TypedNotification { let sender: Credentials }
        struct Opened: TypedNotification { let sender: Branch }
        struct Anything: TypedNotification { let sender: (any Hashable & Sendable)? }
        let secret = Credentials(user: "ann", password: "hunter2")
        let tokens = [
            center.addObserver(for: SignedIn.self, sender: secret) { _ in },
            center.addObserver(for: Opened.self, sender: Branch(name: "harbour", secret: "hunter2")) { _ in },
            center.addObserver(for: Anything.self, sender: secret) { _ in },
        ]
        let senders = center.observations.map(\.sender)
        #expect(senders.count { $0?.hasSuffix("Credentials") == true } == 2)
        #expect(senders.contains("the branch harbour"))
        #expect(!center.observations.table.contains("hunter2"))
        withExtendedLifetime(tokens) {}
    }

    @Test func `a generic type and a value sender are described`() {
        let tokens = [
            center.addObserver(for: Boxed<Int>.self) { _ in },
            center.addObserver(for: Priced.self, sender: 7) { _ in },
        ]
        #expect(center.observations.first?.subject.name.hasSuffix("Boxed<Swift.Int>") == true)
        #expect(center.observations.last?.sender == "Int")
        withExtendedLifetime(tokens) {}
    }

    @Test func `listing keeps neither sender nor owner nor closure alive, and ended observations are not listed`() {
        weak var weakSender: Account?
        weak var weakOwner: Account?
        weak var weakCaptured: Captured?
        var statuses: [ObservationStatus] = []
        do {
            let (sender, owner, captured) = (Account(), Account(), Captured())
            (weakSender, weakOwner, weakCaptured) = (sender, owner, captured)
            center.addObserver(owner, for: Renamed.self) { _, _ in captured.touch() }
            center.addObserver(owner, on: .main, for: Numbered.self) { _, _ in captured.touch() }
            let token = center.addObserver(for: Renamed.self, sender: sender) { _ in }
            statuses = center.observations
            #expect(statuses.count == 3)
            withExtendedLifetime((token, sender, owner)) {}
        }
        #expect(weakSender == nil)
        #expect(weakOwner == nil)
        #expect(center.observations.isEmpty)
        #expect(weakCaptured == nil)
        #expect(statuses.count == 3)
    }

    @Test func `an observation whose sender was deallocated has ended, even while its token is alive`() {
        var sender: Account? = Account()
        let token = center.addObserver(for: Renamed.self, sender: sender) { _ in }
        #expect(center.observations.first?.sender?.hasPrefix("Account (0x") == true)
        sender = nil
        #expect(center.observations.isEmpty)
        withExtendedLifetime(token) {}
    }

    @Test func `the queued and the dropped notifications of a blocked actor are counted`() async {
        let actor = StoppedActor()
        let received = ReceivedValues<Int>()
        center.addObserver(actor, on: .actor, for: Numbered.self) { _, note in received.append(note.number) }
        center.addObserver(actor, on: .actor, for: Numbered.self, buffering: .latest(2)) { _, note in
            received.append(note.number)
        }
        for number in 0..<5 { center.post(Numbered(number: number)) }
        #expect(center.observations.map(\.queued) == [5, 2])
        #expect(center.observations.map(\.dropped) == [0, 3])
        #expect(center.observations.map(\.isRunning) == [false, false])
        await actor.executor.run { received.count == 7 }
        #expect(center.observations.map(\.queued) == [0, 0])
        await actor.executor.finish { center.observations.allSatisfy { !$0.isRunning } }
        #expect(center.observations.map(\.dropped) == [0, 3])
    }

    @Test func `notifications queued behind a suspended call are counted`() async {
        let (begun, gate, received) = (Gate(), Gate(), ReceivedValues<Int>())
        let token = center.addObserver(on: .task, for: Numbered.self) { note in
            begun.open()
            await gate.wait()
            received.append(note.number)
        }
        for number in 0..<4 { center.post(Numbered(number: number)) }
        await begun.wait()
        #expect(center.observations.map(\.queued) == [3])
        #expect(center.observations.map(\.isRunning) == [true])
        gate.open()
        await received.wait(for: 4)
        await token.cancelAndDrain()
    }

    @Test(arguments: [BufferingPolicy.unbounded, .oldest(10)])
    func `an observer that lists observations sees its own call and queue`(policy: BufferingPolicy) async {
        let (ledger, received, center) = (Ledger(), ReceivedValues<[Int]>(), center)
        let actor = StoppedActor()
        let token = center.addObserver(actor, on: .actor, for: Numbered.self, buffering: policy) { _, _ in
            received.append(center.observations.map { $0.isRunning ? $0.queued : -1 })
        }
        for number in 0..<3 { center.post(Numbered(number: number)) }
        await actor.executor.finish { received.count == 3 }
        #expect(received.values == [[2], [1], [0]])
        // Breaks the reference cycle between the center and the observer's closure.
        token.cancel()
        withExtendedLifetime(ledger) {}
    }

    @Test func `a synchronous observer is listed as running while it is called`() {
        let (center, received) = (center, ReceivedValues<[Bool]>())
        let tokens = (0..<2).map { _ in
            center.addObserver(for: Ping.self) { _ in received.append(center.observations.map(\.isRunning)) }
        }
        center.post(Ping())
        #expect(received.values == [[true, false], [false, true]])
        #expect(center.observations.map(\.isRunning) == [false, false])
        withExtendedLifetime(tokens) {}
    }

    @Test func `a sequence is listed with the length of its slowest iterator's buffer`() async {
        let sequence = center.notifications(of: Numbered.self, buffering: .latest(3))
        var fast = sequence.makeAsyncIterator()
        let slow = sequence.makeAsyncIterator()
        for number in 0..<4 { center.post(Numbered(number: number)) }
        _ = await fast.next()
        #expect(center.observations.map(\.queued) == [3])
        #expect(center.observations.map(\.dropped) == [2])
        #expect(sequence.droppedCount == 2)
        withExtendedLifetime(slow) {}
    }

    @Test func `a center prints as a table with aligned columns`() {
        #expect("\(center)".hasSuffix(", 0 observations"))
        let (ledger, received) = (Ledger(), ReceivedValues<Int>())
        var tokens: [NotificationToken] = []
        center.addObserver(for: Priced.self, sender: 7) { note in received.append(note.sender) }.store(in: &tokens)
        #expect("\(center)".contains(", 1 observation:\n"))
        center.addObserver(ledger, on: .actor, for: Numbered.self) { _, _ in }
        let lines = "\(center)".split(separator: "\n")
        #expect(lines.count == 4)
        #expect(lines[0].hasSuffix(", 2 observations:"))
        #expect(lines[1].hasPrefix("notification  "))
        #expect(lines[1].hasSuffix("  registered at"))
        #expect(Set(lines[2...].map(Self.placeColumn)).count == 1)
        #expect(lines[2].contains("  in the post  "))
        #expect(lines[3].contains("  in an actor  "))
        withExtendedLifetime((ledger, tokens)) {}
    }

    @Test func `a table shows queues, drops and running calls, and each observation in one line`() async {
        struct Branch: Hashable, CustomTidingsDescription {
            var tidingsDescription: String { "Main Street\n7" }
        }
        struct Opened: TypedNotification, Sendable { let sender: Branch }
        let (begun, go) = (Gate(), Gate())
        let token = center.addObserver(on: .task, for: Opened.self, sender: Branch(), buffering: .oldest(2)) { _ in
            begun.open()
            await go.wait()
        }
        center.post(Opened(sender: Branch()))
        await begun.wait()
        for _ in 0..<5 { center.post(Opened(sender: Branch())) }
        let lines = center.observations.table.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.last?.contains("Main Street 7") == true)
        let cells = lines.last?.split(separator: "  ", omittingEmptySubsequences: true).map { $0.filter { $0 != " " } }
        #expect(cells?.dropFirst(3).prefix(3) == ["2", "3", "yes"])
        go.open()
        await token.cancelAndDrain()
    }

    private static func placeColumn(_ line: Substring) -> Int? {
        line.firstRange(of: "TidingsMonitoringTests/").map { line.distance(from: line.startIndex, to: $0.lowerBound) }
    }
}
