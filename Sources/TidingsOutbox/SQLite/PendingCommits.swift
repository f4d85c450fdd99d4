#if GRDB
    import GRDB

    final class PendingCommits: Sendable {
        typealias Announce = @Sendable ([CommittedPost], Int64?, _ isAll: Bool) -> Void

        private let transactions = Lock<[ObjectIdentifier: OpenTransaction]>([:])

        func transaction(of db: Database, _ announce: @escaping Announce) -> OpenTransaction {
            transactions.withLock { transactions in
                let key = ObjectIdentifier(db)
                // A closed connection may have had the same address.
                if let known = transactions[key], known.database === db { return known }
                let new = OpenTransaction(of: db, announce)
                transactions[key] = new
                db.add(transactionObserver: new, extent: .observerLifetime)
                return new
            }
        }
    }

    /// A post that isn't known to be committed.
    struct PendingPost {
        let row: Int64
        let post: OutboxPost
        let time: Int64
        let announcement: any Announcement

        var committed: CommittedPost { CommittedPost(row: row, announcement: announcement) }

        /// Whether the row has this content. After a rollback, another program's post may get the same number.
        func isStored(in db: Database) throws -> Bool {
            let sql = "SELECT EXISTS(SELECT 1 FROM tidings_outbox WHERE id = ? AND name = ? AND at = ? AND body = ?)"
            let statement = try db.cachedStatement(sql: sql)
            return try Bool.fetchOne(statement, arguments: [row, post.name, time, post.body]) == true
        }
    }

    @safe
    // GRDB uses a connection, and therefore this object, on one thread at a time.
    final class OpenTransaction: TransactionObserver, @unchecked Sendable {
        fileprivate weak var database: Database?
        private let announce: PendingCommits.Announce
        /// The posts of the open transaction. If a statement fails and SQLite rolls back the transaction, for example
        /// on a full disk, GRDB doesn't report the rollback. Its posts stay here, before later ones.
        private var added: [PendingPost] = []
        /// The inserted rows. GRDB doesn't report rows of a savepoint that is open or was rolled back.
        private var inserted: [Int64] = []

        fileprivate init(of database: Database, _ announce: @escaping PendingCommits.Announce) {
            self.database = database
            self.announce = announce
        }

        func add(_ post: PendingPost) {
            // A number is only assigned again if the rows with this and all later numbers were rolled back.
            while let last = added.last, last.row >= post.row { added.removeLast() }
            added.append(post)
        }

        func observes(eventsOfKind kind: DatabaseEventKind) -> Bool {
            if case .insert(tableName: "tidings_outbox") = kind { return true }
            return false
        }

        func databaseDidChange(with event: DatabaseEvent) { inserted.append(event.rowID) }

        func databaseDidCommit(_ db: Database) {
            if added.isEmpty && inserted.isEmpty { return }
            let (added, inserted) = (self.added, self.inserted)
            forget()
            do {
                // If the first and the last post are stored, none is left from a transaction that was rolled back.
                if added.lazy.map(\.row).elementsEqual(inserted), let first = added.first, let last = added.last,
                    try first.isStored(in: db), try last.isStored(in: db)
                {
                    return announce(added.map(\.committed), inserted.last, true)
                }
                let posts = try added.filter { try $0.isStored(in: db) }.map(\.committed)
                announce(posts, try SQLiteOutboxStore.last(db), posts.count == inserted.count)
            } catch {
                // The table can't be read, so the posts whose rows were reported as inserted count as stored.
                let reported = Set(inserted)
                let posts = added.filter { reported.contains($0.row) }.map(\.committed)
                announce(posts, inserted.last, posts.count == inserted.count)
            }
        }

        func databaseDidRollback(_ db: Database) { forget() }

        private func forget() {
            added.removeAll(keepingCapacity: added.count < 1_000)
            inserted.removeAll(keepingCapacity: inserted.count < 1_000)
        }
    }
#endif
