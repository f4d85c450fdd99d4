import TestSupport
import Testing
import Tidings
import TidingsOutbox

/// A program with an observer of the center, a durable observer, and a durable observer with an inbox in the same
/// database.
final class SurvivalProgram: Sendable {
    let center: NativeNotificationCenter
    let database: any SurvivalDatabase
    let durable = Worker()
    let effects: Effects
    private let delays: RetryPolicy
    private let seen = Log<Int>()
    private let faults = Log<OutboxFault.Kind>()
    private let tokens = Lock<[NotificationToken]>([])
    private let owners = Lock<[SurvivalOwner]>([])
    private let isDead = Lock(false)

    /// Stores its effects in the database, through an inbox.
    actor Effects {
        private let database: any SurvivalDatabase
        private var failures: [Int: Int] = [:]
        private var isHeld = false, isHeldBefore = false
        private var gates: [CheckedContinuation<Void, Never>] = []
        private(set) var attempts = 0

        init(_ database: any SurvivalDatabase) { self.database = database }

        func fail(_ number: Int, times: Int) { failures[number] = times }
        /// Makes each call wait until ``letGo()``, either after its effect or before it.
        func hold(before: Bool = false) { (isHeld, isHeldBefore) = (!before, before) }
        func letGo() {
            (isHeld, isHeldBefore) = (false, false)
            for gate in gates { gate.resume() }
            gates = []
        }
        var isWaiting: Bool { !gates.isEmpty }

        func handle(_ stored: StoredNotification<Placed>) async throws {
            attempts += 1
            let number = stored.notification.number
            if isHeldBefore { await withCheckedContinuation { gates.append($0) } }
            if let left = failures[number], left > 0 {
                failures[number] = left - 1
                throw Refused()
            }
            try await database.effect(of: stored)
            if isHeld { await withCheckedContinuation { gates.append($0) } }
        }
    }

    static let shortDelays = RetryPolicy([.milliseconds(1), .milliseconds(1)])

    static func start(
        _ kind: SurvivalKind, in folder: TestFolder, retrying delays: RetryPolicy = shortDelays
    ) async throws -> SurvivalProgram {
        let center = NativeNotificationCenter()
        switch kind {
        case .memory: return SurvivalProgram(center, try await MemorySurvival(center), delays)
        case .sqlite:
            #if GRDB
                let database = try await SQLiteSurvival(center, in: folder, folder.path("shop"))
                return SurvivalProgram(center, database, delays)
            #else
                fatalError("\(kind) is not compiled in")
            #endif
        case .postgres:
            #if Libpq
                let database = try await PostgresSurvival(center, TestDatabase())
                return SurvivalProgram(center, database, delays)
            #else
                fatalError("\(kind) is not compiled in")
            #endif
        }
    }

    init(_ center: NativeNotificationCenter, _ database: any SurvivalDatabase, _ delays: RetryPolicy = shortDelays) {
        self.center = center
        self.database = database
        self.delays = delays
        effects = Effects(database)
        let token = center.addObserver(for: Placed.self) { [seen] note in seen.add(note.number) }
        let faultToken = center.addObserver(for: OutboxFault.self) { [faults] fault in faults.add(fault.kind) }
        tokens.withLock { $0 = [token, faultToken] }
        observe()
    }

    var outbox: any SurvivalOutbox { database.outbox }

    var names: [String] { database.hasInbox ? ["durable", "inbox"] : ["durable"] }

    func observe() {
        let owner = SurvivalOwner()
        var new = [
            outbox.observe(owner, "durable", delays) { [durable] stored in try await durable.handle(stored) }
        ]
        if database.hasInbox {
            new.append(outbox.observe(owner, "inbox", delays) { [effects] stored in try await effects.handle(stored) })
        }
        owners.withLock { $0.append(owner) }
        tokens.withLock { $0 += new }
    }

    enum Cause: CaseIterable, Sendable { case token, actor }

    func endObservers(by cause: Cause) async {
        switch cause {
        case .token: for token in tokens.withLock({ $0.dropFirst(2) }) { token.cancel() }
        case .actor: owners.withLock { $0 = [] }
        }
        await eventually("the observers have ended") { outbox.runningObservers.isEmpty }
    }

    func post(_ numbers: Int...) async throws { for number in numbers { try await database.post(number) } }

    func successor() async throws -> SurvivalProgram {
        isDead.withLock { $0 = true }
        let next = try await beside()
        // A drain doesn't wait for observers that run elsewhere, and the server may not have noticed yet that the dead
        // program has ended.
        await eventually("the next program's observers run") {
            !next.outbox.runningObservers.contains(where: { $0.state == .starting || $0.state == .elsewhere })
        }
        return next
    }

    func beside() async throws -> SurvivalProgram {
        let center = NativeNotificationCenter()
        return SurvivalProgram(center, try await database.next(center), delays)
    }

    /// The notifications that the observer of the center received.
    var heard: [Int] { seen.all }
    var faultKinds: [OutboxFault.Kind] { faults.all }

    /// Returns the notifications that the durable observer received, without repetitions, in the order of arrival.
    func firsts() async -> [Int] {
        var seen: Set<Int> = []
        return await durable.numbers.filter { seen.insert($0).inserted }
    }

    func waitForEffect() async {
        await eventually("a call of the observer with the inbox waits, if there is an inbox") {
            if !database.hasInbox { return true }
            return await effects.isWaiting
        }
    }

    /// Returns whether the observer with the inbox has handled exactly these notifications in this order, or `true` if
    /// there is no such observer.
    func hasDone(_ numbers: [Int]) async throws -> Bool {
        if !database.hasInbox { return true }
        let effects = try await database.effects()
        if effects != numbers { print("the effects are \(effects), not \(numbers)") }
        return effects == numbers
    }

    func drain() async { await outbox.drain(within: .seconds(600)) }

    /// Finishes the outbox. A program that has died doesn't wait for its observers.
    func finish() async { await outbox.finish(within: isDead.withLock { $0 } ? .zero : .seconds(60)) }
}

private final class Log<Element: Sendable>: Sendable {
    private let elements = Lock<[Element]>([])
    var all: [Element] { elements.withLock { $0 } }
    func add(_ element: Element) { elements.withLock { $0.append(element) } }
}
