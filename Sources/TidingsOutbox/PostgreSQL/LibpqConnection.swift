#if Libpq
    import CLibpq
    import Dispatch
    import Tidings

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Darwin)
        import Darwin
    #endif

    /// Connects to PostgreSQL through libpq, its C client, for programs that use no other client.
    public struct LibpqConnector: OutboxPostgresConnector {
        private let parameters: String

        /// Makes a connector.
        ///
        /// - Parameter parameters: Where the database is, as libpq reads it: `host=127.0.0.1 port=5432 user=shop dbname=shop`, or an
        ///   address.
        public init(_ parameters: String) { self.parameters = parameters }

        /// Makes a connection.
        public func connect() async throws -> any OutboxPostgresConnection { try await open() }

        /// Makes a connection, for transactions of your own.
        public func open() async throws -> LibpqConnection {
            let connection = LibpqConnection()
            try await connection.open(parameters)
            return connection
        }
    }

    /// A connection to PostgreSQL through libpq. Its calls run on a queue of its own, one after the other.
    public final class LibpqConnection: OutboxPostgresConnection {
        private let queue = DispatchQueue(label: "tidings.libpq")
        private let state = Lock(State())

        /// Dispatch does not say that sources may be cancelled on any thread, which they may.
        private struct Source: @unchecked Sendable {
            let base: any DispatchSourceRead
            func cancel() { base.cancel() }
        }

        private struct State {
            var source: Source?
            var receive: (@Sendable (String?) -> Void)?
            var prepared: [String: String] = [:]
            var commits: [@Sendable () -> Void] = []
            /// The connection as a number, which is touched on the queue alone.
            var address: UInt?
        }

        fileprivate init() {}

        deinit {
            let (address, source) = state.withLock { ($0.address, $0.source) }
            source?.cancel()
            if let address { unsafe PQfinish(OpaquePointer(bitPattern: address)) }
        }

        private func perform<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
            try await withCheckedThrowingContinuation { continuation in
                queue.async { continuation.resume(with: Swift.Result { try body() }) }
            }
        }

        /// The connection, on the queue.
        private func pointer() throws -> OpaquePointer {
            guard let pointer = unsafe state.withLock({ $0.address }).flatMap({ unsafe OpaquePointer(bitPattern: $0) })
            else {
                throw OutboxPostgresConnectionEnded("the connection is closed")
            }
            return unsafe pointer
        }

        fileprivate func open(_ parameters: String) async throws {
            try await perform { [self] in
                let connection = unsafe PQconnectdb(parameters)
                guard let connection = unsafe connection else { throw OutboxPostgresConnectionEnded("no memory") }
                let status = unsafe PQstatus(connection)
                if status != CONNECTION_OK {
                    let words = unsafe String(cString: PQerrorMessage(connection))
                    unsafe PQfinish(connection)
                    throw OutboxPostgresConnectionEnded(words)
                }
                let address = UInt(bitPattern: connection)
                state.withLock { $0.address = address }
            }
        }

        /// Runs one statement.
        @discardableResult
        public func run(_ statement: String, _ values: [String?]) async throws -> [[String?]] {
            try await perform { [self] in try execute(statement, values) }
        }

        /// Runs a statement, on the queue.
        private func execute(_ statement: String, _ values: [String?]) throws -> [[String?]] {
            let connection = unsafe try pointer()
            let strings = unsafe values.map { value in unsafe value.map { unsafe strdup($0) } ?? nil }
            defer { unsafe strings.forEach { unsafe free($0) } }
            let pointers: [UnsafePointer<CChar>?] = unsafe strings.map { unsafe UnsafePointer($0) }
            let result: OpaquePointer?
            if values.isEmpty && statement.hasPrefix("DO ") {
                unsafe result = unsafe PQexec(connection, statement)
            } else if let name = unsafe try prepare(statement, connection) {
                unsafe result = unsafe PQexecPrepared(connection, name, Int32(values.count), pointers, nil, nil, 0)
            } else {
                unsafe result = unsafe PQexecParams(
                    connection, statement, Int32(values.count), nil, pointers, nil, nil, 0)
            }
            defer { unsafe PQclear(result) }
            let rows = unsafe try Self.rows(of: result, on: connection)
            unsafe takeNotifications(connection)
            return rows
        }

        /// Prepares a statement that comes again and again.
        private func prepare(_ statement: String, _ connection: OpaquePointer) throws -> String? {
            // What is made for one call, with as many parameters as it needs, is not kept.
            guard statement.count < 1_500,
                statement.hasPrefix("SELECT") || statement.hasPrefix("INSERT") || statement.hasPrefix("UPDATE")
            else { return nil }
            if let name = state.withLock({ $0.prepared[statement] }) { return name }
            let name = state.withLock { $0.prepared.count < 100 ? "t\($0.prepared.count)" : nil }
            guard let name else { return nil }
            let result = unsafe PQprepare(connection, name, statement, 0, nil)
            defer { unsafe PQclear(result) }
            _ = unsafe try Self.rows(of: result, on: connection)
            state.withLock { $0.prepared[statement] = name }
            return name
        }

        private static func rows(of result: OpaquePointer?, on connection: OpaquePointer) throws -> [[String?]] {
            let status = unsafe PQresultStatus(result)
            guard status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK else {
                let words = unsafe String(cString: PQerrorMessage(connection))
                if unsafe PQstatus(connection) != CONNECTION_OK { throw OutboxPostgresConnectionEnded(words) }
                throw OutboxPostgresStatementFailed(words)
            }
            let columns = unsafe PQnfields(result)
            return (0..<(unsafe PQntuples(result))).map { row in
                (0..<columns).map { column in
                    unsafe PQgetisnull(result, row, column) == 1
                        ? nil : unsafe String(cString: PQgetvalue(result, row, column))
                }
            }
        }

        /// Calls a closure with what the server sends for what the connection listens to.
        public func onNotification(_ receive: @escaping @Sendable (String?) -> Void) {
            state.withLock { $0.receive = receive }
            queue.async { [weak self] in self?.watch() }
        }

        /// Has the queue look at the socket when something comes.
        private func watch() {
            guard let connection = unsafe try? pointer() else { return }
            let source = unsafe DispatchSource.makeReadSource(fileDescriptor: PQsocket(connection), queue: queue)
            source.setEventHandler { [weak self] in
                guard let self, let connection = unsafe try? self.pointer() else { return }
                if unsafe PQconsumeInput(connection) == 0 {
                    self.state.withLock { $0.source }?.cancel()
                    self.state.withLock { $0.receive }?(nil)
                    return
                }
                unsafe self.takeNotifications(connection)
            }
            let held = Source(base: source)
            state.withLock { $0.source = held }
            held.base.resume()
        }

        private func takeNotifications(_ connection: OpaquePointer) {
            while let notification = unsafe PQnotifies(connection) {
                let payload = unsafe String(cString: notification.pointee.extra)
                unsafe PQfreemem(notification)
                state.withLock { $0.receive }?(payload)
            }
        }

        /// Closes the connection.
        public func close() async {
            _ = try? await perform { [self] in
                let (address, source) = state.withLock { state in
                    defer {
                        state.address = nil
                        state.source = nil
                    }
                    return (state.address, state.source)
                }
                source?.cancel()
                if let address { unsafe PQfinish(OpaquePointer(bitPattern: address)) }
            }
        }

        /// Calls a closure once the transaction is committed.
        public func afterCommit(_ action: @escaping @Sendable () -> Void) {
            state.withLock { $0.commits.append(action) }
        }

        private func hasFailed() async throws -> Bool {
            try await perform { [self] in unsafe PQtransactionStatus(try pointer()) == PQTRANS_INERROR }
        }

        /// Runs a transaction: commits what the closure has done, or rolls it back if the closure throws. One at a time.
        ///
        /// - Parameter body: What to do in the transaction.
        /// - Returns: What the closure returns.
        /// - Throws: What the database says.
        public func transaction<Result>(_ body: (any OutboxPostgresTransaction) async throws -> Result) async throws
            -> Result
        {
            try await run("BEGIN", [])
            do {
                let result = try await body(self)
                // A statement has failed, and nobody has said so: the commit would be a rollback without an error.
                if try await hasFailed() {
                    throw OutboxPostgresStatementFailed("a statement of the transaction has failed")
                }
                try await run("COMMIT", [])
                let commits = state.withLock { state in
                    defer { state.commits = [] }
                    return state.commits
                }
                for commit in commits { commit() }
                return result
            } catch {
                state.withLock { $0.commits = [] }
                _ = try? await run("ROLLBACK", [])
                throw error
            }
        }
    }

    /// PostgreSQL refuses a statement.
    public struct OutboxPostgresStatementFailed: Error, Hashable, Sendable, CustomStringConvertible {
        /// What the server says.
        public let description: String

        init(_ description: String) { self.description = description }
    }
#endif
