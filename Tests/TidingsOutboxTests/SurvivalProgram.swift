#if GRDB
    import Foundation
    import GRDB
    import Tidings
    import TidingsOutbox

    /// A program with an observer of each kind: one of the center, a durable one, and one with an inbox in the same database.
    final class SurvivalProgram: Sendable {
        let center = NativeNotificationCenter()
        let pool: DatabasePool
        let outbox: NotificationOutbox<SQLiteStore>
        let durable = Worker()
        let effects: Effects
        private let folder: TestFolder
        private let path: String
        private let delays: RetryDelays
        private let seen = Log<Int>()
        private let faults = Log<OutboxFault.Kind>()
        private let tokens = Lock<[NotificationToken]>([])

        /// What happens in the database, together with the inbox.
        actor Effects {
            private let pool: DatabasePool
            private let inbox: SQLiteInbox
            private var failures: [Int: Int] = [:]
            private var isHeld = false, isHeldBefore = false
            private var gate: CheckedContinuation<Void, Never>?
            private(set) var attempts = 0

            init(_ pool: DatabasePool) async throws {
                self.pool = pool
                inbox = try await SQLiteInbox(in: pool)
                try await pool.write { db in
                    try db.execute(sql: "CREATE TABLE IF NOT EXISTS effects(id INTEGER PRIMARY KEY, number INTEGER)")
                }
            }

            func fail(_ number: Int, times: Int) { failures[number] = times }
            /// Has each call wait until it is let go, behind its effect or before it.
            func hold(before: Bool = false) { (isHeld, isHeldBefore) = (!before, before) }
            func letGo() {
                (isHeld, isHeldBefore) = (false, false)
                gate?.resume()
                gate = nil
            }
            /// Whether a call waits.
            var isWaiting: Bool { gate != nil }

            func handle(_ stored: StoredNotification<Placed>) async throws {
                attempts += 1
                let number = stored.notification.number
                if isHeldBefore { await withCheckedContinuation { gate = $0 } }
                if let left = failures[number], left > 0 {
                    failures[number] = left - 1
                    throw Refused()
                }
                _ = try await pool.write { [inbox] db in
                    try inbox.once(stored, in: db) {
                        try db.execute(sql: "INSERT INTO effects(number) VALUES(?)", arguments: [number])
                    }
                }
                if isHeld { await withCheckedContinuation { gate = $0 } }
            }
        }

        init(
            in folder: TestFolder, _ name: String = "shop",
            retrying delays: RetryDelays = RetryDelays([.milliseconds(1), .milliseconds(1)])
        ) async throws {
            self.folder = folder
            self.delays = delays
            path = folder.path(name)
            var configuration = Configuration()
            configuration.busyMode = .timeout(0.02)
            pool = try DatabasePool(path: path, configuration: configuration)
            effects = try await Effects(pool)
            outbox = try await NotificationOutbox(in: pool, of: center, options: .quick)
            let token = center.addObserver(for: Placed.self) { [seen] note in seen.add(note.number) }
            let faultToken = center.addObserver(for: OutboxFault.self) { [faults] fault in faults.add(fault.kind) }
            tokens.withLock { $0 = [token, faultToken] }
            observe()
        }

        /// Registers the durable observers.
        func observe() {
            let durable = outbox.addObserver(
                durable, named: "durable", on: .actor, forStored: Placed.self, from: .stored, retrying: delays
            ) { me, stored in try await me.handle(stored) }
            let effects = outbox.addObserver(
                effects, named: "inbox", on: .actor, forStored: Placed.self, from: .stored, retrying: delays
            ) { me, stored in try await me.handle(stored) }
            tokens.withLock { $0 += [durable, effects] }
        }

        /// Ends the durable observers, as their tokens do.
        func endObservers() async {
            for token in tokens.withLock({ $0.suffix(2) }) { token.cancel() }
            while !outbox.observers.isEmpty { await Task.yield() }
        }

        func post(_ numbers: Int...) async throws {
            for number in numbers {
                try await pool.write { [outbox] db in try outbox.post(Placed(number: number), in: db) }
            }
        }

        /// What is left of the program when it dies now, as a program that is started then.
        func successor(_ name: String) async throws -> SurvivalProgram {
            try await die(name)
            return try await SurvivalProgram(in: folder, name)
        }

        /// Copies the files as a crash leaves them. The writer's turn: nobody writes, and nothing is moved to the file meanwhile.
        func die(_ name: String) async throws {
            try await pool.writeWithoutTransaction { [self] _ in try copy(name) }
        }

        func copy(_ name: String) throws {
            for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
                try FileManager.default.copyItem(atPath: path + suffix, toPath: folder.path(name) + suffix)
            }
        }

        /// What the observer of the center got.
        var heard: [Int] { seen.all }
        var faultKinds: [OutboxFault.Kind] { faults.all }

        /// What the observer with the inbox has done.
        func done() async throws -> [Int] {
            try await pool.read { try Int.fetchAll($0, sql: "SELECT number FROM effects ORDER BY id") }
        }

        func drain() async { await outbox.drain(within: .seconds(600)) }
        func finish() async { await outbox.finish(within: .seconds(60)) }
    }

    private final class Log<Element: Sendable>: Sendable {
        private let elements = Lock<[Element]>([])
        var all: [Element] { elements.withLock { $0 } }
        func add(_ element: Element) { elements.withLock { $0.append(element) } }
    }
#endif
