#if Libpq
    import CLibpq
    import Dispatch

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Darwin)
        import Darwin
    #endif

    /// Calls libpq on the queue of a ``LibpqConnection``. Any thread may call ``abort()`` and ``add(_:)``.
    final class LibpqClient: Sendable {
        /// `commits` are the closures to call if the statement has committed a transaction.
        typealias Answer = (rows: [[String?]], commits: [@Sendable () -> Void])

        /// Makes a source `Sendable`. Other threads only cancel the source, which is safe, although Dispatch doesn't
        /// document this.
        private struct Source: @unchecked Sendable {
            let base: any DispatchSourceRead
            func cancel() { base.cancel() }
        }

        private struct State {
            var source: Source?
            var receive: (@Sendable (String?) -> Void)?
            var prepared: [String: String] = [:]
            var preparedCount = 0
            var commits: [@Sendable () -> Void] = []
            var isInTransaction = false
            /// The pointer to the connection as an integer, because a pointer isn't `Sendable`.
            var address: UInt?
            /// The connection's socket while a statement runs, preferably a duplicate.
            var socket: Int32?
        }

        private let preparesStatements: Bool
        private let state = Lock(State())

        init(preparesStatements: Bool) { self.preparesStatements = preparesStatements }

        deinit { finish() }

        func open(_ parameters: String) throws {
            // Later values take precedence, so the caller's `parameters` come last.
            let texts = unsafe ["connect_timeout", "dbname", "10", parameters].map { (text: String) in
                unsafe strdup(text)
            }
            defer { unsafe texts.forEach { unsafe free($0) } }
            let keywords: [UnsafePointer<CChar>?] = unsafe [UnsafePointer(texts[0]), UnsafePointer(texts[1]), nil]
            let values: [UnsafePointer<CChar>?] = unsafe [UnsafePointer(texts[2]), UnsafePointer(texts[3]), nil]
            guard let connection = unsafe PQconnectdbParams(keywords, values, 1) else {
                throw OutboxPostgresConnectionEnded("no memory")
            }
            if unsafe PQstatus(connection) != CONNECTION_OK {
                let words = unsafe String(cString: PQerrorMessage(connection))
                unsafe PQfinish(connection)
                throw OutboxPostgresConnectionEnded(words)
            }
            let address = UInt(bitPattern: connection)
            state.withLock { $0.address = address }
        }

        private func pointer() throws -> OpaquePointer {
            guard let pointer = unsafe state.withLock({ $0.address }).flatMap({ unsafe OpaquePointer(bitPattern: $0) })
            else {
                throw OutboxPostgresConnectionEnded("the connection is closed")
            }
            return unsafe pointer
        }

        func execute(_ statement: String, _ values: [String?]) throws -> Answer {
            // libpq would silently truncate the value at the zero byte.
            if let index = values.firstIndex(where: { $0?.utf8.contains(0) == true }) {
                throw OutboxPostgresStatementFailed(
                    "the value $\(index + 1) contains a zero byte, which PostgreSQL does not allow in text")
            }
            let connection = unsafe try pointer()
            // If the connection ends, libpq closes its socket during the statement, and another file may get the
            // socket's number. The duplicate stays open. If the program has too many files open for a duplicate,
            // `abort` uses libpq's socket, and shuts down the wrong socket if another one has got its number by then.
            let own = unsafe PQsocket(connection)
            let duplicate = fcntl(own, F_DUPFD_CLOEXEC, 0)
            state.withLock { $0.socket = duplicate < 0 ? own : duplicate }
            defer {
                state.withLock { $0.socket = nil }
                if duplicate >= 0 { _ = close(duplicate) }
            }
            do {
                return unsafe try execute(statement, values, connection, isPrepared: preparesStatements)
            } catch is Stale {
                // A failed statement outside a transaction has no effect, so it can run again.
                return unsafe try execute(statement, values, connection, isPrepared: false)
            }
        }

        private func execute(
            _ statement: String, _ values: [String?], _ connection: OpaquePointer, isPrepared: Bool
        ) throws -> Answer {
            let strings = unsafe values.map { value in unsafe value.map { unsafe strdup($0) } ?? nil }
            defer { unsafe strings.forEach { unsafe free($0) } }
            let pointers: [UnsafePointer<CChar>?] = unsafe strings.map { unsafe UnsafePointer($0) }
            let isIdle = unsafe PQtransactionStatus(connection) == PQTRANS_IDLE
            let name = unsafe isPrepared ? try prepare(statement, connection) : nil
            let result: OpaquePointer?
            if values.isEmpty && name == nil {
                unsafe result = unsafe PQexec(connection, statement)
            } else if let name {
                unsafe result = unsafe PQexecPrepared(connection, name, Int32(values.count), pointers, nil, nil, 0)
            } else {
                unsafe result = unsafe PQexecParams(
                    connection, statement, Int32(values.count), nil, pointers, nil, nil, 0)
            }
            defer { unsafe PQclear(result) }
            if name != nil, unsafe isStale(result) {
                state.withLock { _ = $0.prepared.removeValue(forKey: statement) }
                if isIdle { throw Stale() }
            }
            let commits = unsafe noteTransaction(result, connection)
            let rows = unsafe try Self.rows(of: result, on: connection)
            unsafe takeNotifications(connection)
            return (rows, commits)
        }

        private struct Stale: Error {}

        private func isStale(_ result: OpaquePointer?) -> Bool {
            guard let code = unsafe PQresultErrorField(result, 67) else { return false }
            // Field 67 (`C`) is the error code: `0A000` for a changed result type, `26000` for an unknown statement.
            return unsafe ["0A000", "26000"].contains(String(cString: code))
        }

        private func prepare(_ statement: String, _ connection: OpaquePointer) throws -> String? {
            // Long statements aren't prepared, because they were probably built for one call.
            guard statement.utf8.count < 1_500,
                ["SELECT", "INSERT", "UPDATE", "WITH"].contains(where: statement.hasPrefix)
            else { return nil }
            if let name = state.withLock({ $0.prepared[statement] }) { return name }
            let name: String? = state.withLock { state in
                if state.prepared.count >= 100 { return nil }
                state.preparedCount += 1
                return "t\(state.preparedCount)"
            }
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

        private func noteTransaction(_ result: OpaquePointer?, _ connection: OpaquePointer) -> [@Sendable () -> Void] {
            let status = unsafe PQtransactionStatus(connection)
            let tag = unsafe PQcmdStatus(result).map { unsafe String(cString: $0) }
            return state.withLock { state in
                state.isInTransaction = status != PQTRANS_IDLE && status != PQTRANS_UNKNOWN
                if state.isInTransaction { return [] }
                defer { state.commits = [] }
                // For the commit of a failed transaction, the tag is `ROLLBACK`.
                return tag == "COMMIT" ? state.commits : []
            }
        }

        func add(_ action: @escaping @Sendable () -> Void) -> Bool {
            state.withLock { state in
                if state.isInTransaction { state.commits.append(action) }
                return state.isInTransaction
            }
        }

        var hasFailed: Bool {
            get throws { unsafe PQtransactionStatus(try pointer()) == PQTRANS_INERROR }
        }

        var isReady: Bool {
            guard let connection = unsafe try? pointer() else { return false }
            // A server that closes the connection sends the reason first, so only the second call detects the end.
            return unsafe PQconsumeInput(connection) == 1 && PQconsumeInput(connection) == 1
                && PQstatus(connection) == CONNECTION_OK && PQtransactionStatus(connection) == PQTRANS_IDLE
        }

        func listen(on queue: DispatchQueue, _ receive: @escaping @Sendable (String?) -> Void) {
            state.withLock { $0.receive = receive }
            guard let connection = unsafe try? pointer() else { return }
            // Dispatch requires the source's descriptor to stay open until the cancellation handler runs. `finish` closes
            // the socket before that, so the source has a descriptor of its own.
            let descriptor = unsafe fcntl(PQsocket(connection), F_DUPFD_CLOEXEC, 0)
            guard descriptor >= 0 else { return receive(nil) }
            let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
            source.setCancelHandler { _ = close(descriptor) }
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

        func abort() {
            // The lock is held, so that the statement doesn't end and close the duplicate before the call.
            state.withLock { state in
                if let socket = state.socket { _ = shutdown(socket, Int32(SHUT_RDWR)) }
            }
        }

        func finish() {
            let (address, source) = state.withLock { state in
                defer { (state.address, state.source, state.commits) = (nil, nil, []) }
                return (state.address, state.source)
            }
            source?.cancel()
            if let address { unsafe PQfinish(OpaquePointer(bitPattern: address)) }
        }
    }
#endif
