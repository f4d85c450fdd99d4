#if GRDB
    import Foundation
    import GRDB

    struct SQLiteSession: OutboxObserverSession {
        let database: any DatabaseWriter
        let writes: GroupedWork<SQLiteWrite, SQLiteWrite.Outcome>
        let observer: String
        let lock: ObserverLock
        let beginning: OutboxProgress

        func confirm() async throws {}

        func save(_ change: OutboxProgressChange) async throws -> Set<Int64> {
            try await writes(.save(change, of: observer)).dropped
        }

        func held() async throws -> [OutboxHeldRow] {
            try await database.read { [observer] in try Self.held(observer, $0) }
        }

        static func held(_ observer: String, _ db: Database) throws -> [OutboxHeldRow] {
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT key, position, attempts, due, error FROM tidings_held WHERE observer = ? AND buried = 0
                        ORDER BY position
                        """), arguments: [observer]
            ).map { OutboxHeldRow(key: $0[0], position: $0[1], attempts: $0[2], due: $0[3], error: $0[4]) }
        }

        func end(isClean: Bool) async {
            // If this write fails, the next session marks the rows after the saved cursor as possibly repeated.
            if isClean { _ = try? await writes(.end(observer)) }
            lock.unlock()
        }
    }

    final class ClaimedObservers: Sendable {
        private let names = Lock<Set<String>>([])
        func add(_ name: String) -> Bool { names.withLock { $0.insert(name).inserted } }
        func remove(_ name: String) { names.withLock { _ = $0.remove(name) } }
        func contains(_ name: String) -> Bool { names.withLock { $0.contains(name) } }
    }

    /// The lease for a durable observer: a lock on a file beside the database. The lock ends with the program, even if
    /// the program crashes. An in-memory database belongs to one program, and needs no lock.
    final class ObserverLock: Sendable {
        private let file: Lock<FileHandle?>
        private let unlocked = Lock<(@Sendable () -> Void)?>(nil)

        /// Takes the lock. Returns `nil` if another program, or another outbox of this program, holds it.
        /// `path` is the result of ``file(_:)``.
        init?(_ observer: String, beside path: String) throws {
            if path.isEmpty {
                file = Lock(nil)
                return
            }
            // The slash of a partition's name is replaced with `~`, which no observer's name contains.
            let lockPath = "\(path)-outbox-\(observer.replacing("/", with: "~"))"
            // A child process must not inherit the lock, which would then outlive this program.
            let descriptor = unsafe open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
            guard descriptor >= 0 else {
                throw OutboxError(
                    .unreachable, unsafe "\(lockPath) cannot be opened: \(String(cString: strerror(errno)))")
            }
            let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            if flock(handle.fileDescriptor, LOCK_EX | LOCK_NB) != 0 {
                try? handle.close()
                return nil
            }
            file = Lock(handle)
        }

        /// Returns the path of the database as SQLite has resolved it, or an empty string for an in-memory database.
        /// Programs that open the file through a symbolic link or a URI would otherwise take different locks.
        static func file(_ db: Database) throws -> String {
            guard let row = try Row.fetchOne(db, sql: "PRAGMA database_list") else { return "" }
            return row["file"] ?? ""
        }

        func whenUnlocked(_ action: @escaping @Sendable () -> Void) { unlocked.withLock { $0 = action } }

        deinit { unlock() }

        func unlock() {
            file.withLock { file in
                // Closing the file isn't enough. Between `fork` and `exec`, a child process has a copy of the
                // descriptor, which keeps the lock.
                if let file { flock(file.fileDescriptor, LOCK_UN) }
                try? file?.close()
                file = nil
            }
            unlocked.withLock { $0.take() }?()
        }
    }
#endif
