#if GRDB
    import Foundation
    import GRDB
    import Testing
    import Tidings
    import TidingsOutbox

    /// Tests of a crash at each statement. After each crash, another program continues with a copy of the database
    /// files.
    @Suite(.timeLimit(.minutes(2))) struct SQLiteCrashTests {
        private struct Copy: Sendable {
            let path: String
            let committed: [Int]
            let handled: [Int]
        }

        private struct Record: Sendable {
            var committed: [Int] = []
            var handled: [Int] = []
            var copies: [Copy] = []
            var isOn = false
        }

        private final class Log: Sendable {
            let record = Lock(Record())
        }

        private actor Handler {
            let log: Log
            var failures: [Int: Int]
            private(set) var repeated: Set<Int> = []

            init(_ log: Log, failing failures: [Int: Int] = [:]) {
                self.log = log
                self.failures = failures
            }

            func handle(_ stored: StoredNotification<Placed>) throws {
                let number = stored.notification.number
                if stored.mayBeRepeated { repeated.insert(number) }
                if let left = failures[number], left > 0 {
                    failures[number] = left - 1
                    throw Refused()
                }
                log.record.withLock { $0.handled.append(number) }
            }
        }

        private func observe(_ outbox: NotificationOutbox<SQLiteOutboxStore>, _ handler: Handler) {
            outbox.addObserver(
                handler, named: "worker", on: .actor, forStored: Placed.self, ordered: .by(\.customer), from: .stored,
                retrying: RetryPolicy([.milliseconds(1), .milliseconds(1)])
            ) { me, stored in try me.handle(stored) }
        }

        @Test
        func `after a crash at any statement, nothing is lost, keys keep their order and repetitions are marked`()
            async throws
        {
            let folder = TestFolder()
            let log = Log()
            var configuration = Configuration()
            configuration.prepareDatabase { db in
                if db.configuration.readonly { return }
                // Before each statement of the writer, the files are copied as a crash would leave them.
                db.trace(options: .statement) { _ in
                    log.record.withLock { record in
                        guard record.isOn else { return }
                        let path = folder.path("copy-\(record.copies.count)")
                        for suffix in ["", "-wal"] {
                            try? FileManager.default.copyItem(
                                atPath: folder.path("shop") + suffix, toPath: path + suffix)
                        }
                        record.copies.append(Copy(path: path, committed: record.committed, handled: record.handled))
                    }
                }
            }
            let pool = try DatabasePool(path: folder.path("shop"), configuration: configuration)
            let outbox = try await NotificationOutbox(in: pool, of: NativeNotificationCenter(), options: .quick)
            log.record.withLock { $0.isOn = true }
            observe(outbox, Handler(log, failing: [3: 1, 8: 2, 11: 9]))
            for number in 1...24 {
                try await pool.write { db in
                    try outbox.post(Placed(number: number, customer: "\(number % 3)"), in: db)
                }
                log.record.withLock { $0.committed.append(number) }
                if number % 5 == 0 { await outbox.drain(within: .seconds(600)) }
            }
            await outbox.finish(within: .seconds(600))
            let copies = log.record.withLock { record in
                record.isOn = false
                return record.copies
            }
            #expect(copies.count > 60)
            for copy in copies { try await recover(copy) }
        }

        private func recover(_ copy: Copy) async throws {
            let log = Log()
            let pool = try DatabasePool(path: copy.path)
            #expect(try await pool.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
            let outbox = try await NotificationOutbox(in: pool, of: NativeNotificationCenter(), options: .quick)
            let handler = Handler(log, failing: [11: 9])
            observe(outbox, handler)
            await outbox.drain(within: .seconds(600))
            let buried = try await outbox.deadLetters(for: "worker").map { Int($0.row.id) }
            await outbox.finish(within: .seconds(600))
            let after = log.record.withLock { $0.handled }
            let all = Set(copy.handled).union(after).union(buried)
            #expect(all.isSuperset(of: copy.committed), "\(copy.path): a notification is lost")
            for key in 0..<3 {
                let numbers = after.filter { $0 % 3 == key }
                #expect(numbers == numbers.sorted(), "\(copy.path): notifications are out of order")
            }
            #expect(Set(after).count == after.count, "\(copy.path): a notification was handled twice")
            let marked = await handler.repeated
            #expect(
                marked.isSuperset(of: Set(after).intersection(copy.handled)), "\(copy.path): a repetition isn't marked")
        }
    }
#endif
