#if GRDB
    import GRDB
    import Tidings

    /// What is to be told when transactions that are open are committed, by connection.
    final class PendingCommits: Sendable {
        typealias Announce = @Sendable ([CommittedPost], Int64?, _ isAll: Bool) -> Void

        private let transactions = Lock<[ObjectIdentifier: OpenTransaction]>([:])

        /// Finds what is to be told of the transaction that a connection has open, and has it told when that is committed.
        func transaction(of db: Database, _ announce: @escaping Announce) -> OpenTransaction {
            transactions.withLock { transactions in
                let key = ObjectIdentifier(db)
                // Another connection may have been at the place in memory of one that was closed.
                if let known = transactions[key], known.database === db { return known }
                let new = OpenTransaction(of: db, announce)
                transactions[key] = new
                db.add(transactionObserver: new, extent: .observerLifetime)
                return new
            }
        }
    }

    /// What one connection has added in its transaction. It is used where the connection is used, in one place at a time.
    @safe
    final class OpenTransaction: TransactionObserver, @unchecked Sendable {
        fileprivate weak var database: Database?
        private let announce: PendingCommits.Announce
        private var added: [CommittedPost] = []
        /// The rows that were inserted, but for those of a savepoint that is open or was rolled back: GRDB keeps these to itself.
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
                // A row with a number that a savepoint has given back takes the place of the one before.
                let last = Dictionary(added.map { ($0.row, $0) }) { _, last in last }
                posts = inserted.compactMap { last[$0] }
            }
            // Others may have been inserted by another hand.
            if let last = inserted.last { announce(posts, last, posts.count == inserted.count) }
        }

        func databaseDidRollback(_ db: Database) { forget() }

        private func forget() {
            added.removeAll(keepingCapacity: added.count < 1_000)
            inserted.removeAll(keepingCapacity: inserted.count < 1_000)
        }
    }
#endif
