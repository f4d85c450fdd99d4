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

        /// Whether the row has this content. After a rollback, another program's post may get the same number. Returns
        /// `true` if the row can't be read.
        func isStored(in db: Database) -> Bool {
            let sql = "SELECT EXISTS(SELECT 1 FROM tidings_outbox WHERE id = ? AND name = ? AND at = ? AND body = ?)"
            let isStored = try? Bool.fetchOne(
                db.cachedStatement(sql: sql), arguments: [row, post.name, time, post.body])
            return isStored ?? true
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

        func add(_ post: PendingPost) { added.append(post) }

        func observes(eventsOfKind kind: DatabaseEventKind) -> Bool {
            if case .insert(tableName: "tidings_outbox") = kind { return true }
            return false
        }

        func databaseDidChange(with event: DatabaseEvent) { inserted.append(event.rowID) }

        func databaseDidCommit(_ db: Database) {
            if added.isEmpty && inserted.isEmpty { return }
            let (added, inserted) = (self.added, self.inserted)
            forget()
            // If the first post is stored, none is left from an earlier transaction.
            if added.lazy.map(\.row).elementsEqual(inserted), added[0].isStored(in: db) {
                return announce(added.map(\.committed), inserted.last, true)
            }
            // A row may reuse the number of an earlier one that was rolled back.
            let newest = Dictionary(added.map { ($0.row, $0) }) { _, newest in newest }
            let posts = newest.values.filter { $0.isStored(in: db) }.map(\.committed).sorted { $0.row < $1.row }
            let last = (try? SQLiteOutboxStore.last(db)) ?? inserted.last
            announce(posts, last, posts.count == inserted.count)
        }

        func databaseDidRollback(_ db: Database) { forget() }

        private func forget() {
            added.removeAll(keepingCapacity: added.count < 1_000)
            inserted.removeAll(keepingCapacity: inserted.count < 1_000)
        }
    }
#endif
