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

    @safe
    // GRDB uses a connection, and therefore this object, on one thread at a time.
    final class OpenTransaction: TransactionObserver, @unchecked Sendable {
        fileprivate weak var database: Database?
        private let announce: PendingCommits.Announce
        private var added: [CommittedPost] = []
        /// The inserted rows. GRDB doesn't report rows of a savepoint that is open or was rolled back.
        private var inserted: [Int64] = []

        fileprivate init(of database: Database, _ announce: @escaping PendingCommits.Announce) {
            self.database = database
            self.announce = announce
        }

        func add(_ post: CommittedPost) { added.append(post) }

        func observes(eventsOfKind kind: DatabaseEventKind) -> Bool {
            if case .insert(tableName: "tidings_outbox") = kind { return true }
            return false
        }

        func databaseDidChange(with event: DatabaseEvent) { inserted.append(event.rowID) }

        func databaseDidCommit(_ db: Database) {
            if added.isEmpty && inserted.isEmpty { return }
            let (added, inserted) = (self.added, self.inserted)
            forget()
            var posts = added
            if !added.lazy.map(\.row).elementsEqual(inserted) {
                // After a rollback to a savepoint, a row may reuse the number of an earlier one, which isn't stored.
                let last = Dictionary(added.map { ($0.row, $0) }) { _, last in last }
                posts = inserted.compactMap { last[$0] }
            }
            if let last = inserted.last { announce(posts, last, posts.count == inserted.count) }
        }

        func databaseDidRollback(_ db: Database) { forget() }

        private func forget() {
            added.removeAll(keepingCapacity: added.count < 1_000)
            inserted.removeAll(keepingCapacity: inserted.count < 1_000)
        }
    }
#endif
