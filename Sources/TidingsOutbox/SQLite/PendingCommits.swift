#if GRDB
    import GRDB
    import Tidings

    /// What is to be told when transactions that are open are committed, by connection.
    final class PendingCommits: Sendable {
        private typealias Announcement = @Sendable (Int64) -> @Sendable () -> Void

        private let pending = Lock<[ObjectIdentifier: [Int64: Announcement]]>([:])

        /// Has what the connection's transaction adds told when it is committed.
        func begin(_ db: Database, _ announce: @escaping @Sendable ([@Sendable () -> Void], Int64?) -> Void) {
            let connection = ObjectIdentifier(db)
            let isNew = pending.withLock { pending in
                if pending[connection] != nil { return false }
                pending[connection] = [:]
                return true
            }
            guard isNew else { return }
            db.afterNextTransaction { db in
                let announcements = self.take(connection)
                var posts: [@Sendable () -> Void] = []
                for (id, announcement) in announcements.sorted(by: { $0.key < $1.key })
                where Self.isThere(id, db) { posts.append(announcement(id)) }
                announce(posts, announcements.keys.max())
            } onRollback: { _ in
                _ = self.take(connection)
            }
        }

        /// Adds a row. One with a number that a savepoint has given back takes the place of the one before.
        func add(_ db: Database, _ id: Int64, _ announcement: @escaping @Sendable (Int64) -> @Sendable () -> Void) {
            pending.withLock { $0[ObjectIdentifier(db), default: [:]][id] = announcement }
        }

        private func take(_ connection: ObjectIdentifier) -> [Int64: Announcement] {
            pending.withLock { $0.removeValue(forKey: connection) ?? [:] }
        }

        /// A savepoint may have been rolled back, of which GRDB does not tell.
        private static func isThere(_ id: Int64, _ db: Database) -> Bool {
            let found = try? Bool.fetchOne(
                db.cachedStatement(sql: "SELECT 1 FROM tidings_outbox WHERE id = ?"), arguments: [id])
            return found == true
        }
    }
#endif
