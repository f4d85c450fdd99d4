#if InspectorServer
    import FlyingSocks
    import Synchronization
    import Tidings

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Darwin)
        import Darwin
    #endif

    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    /// Takes connections, each for one request.
    ///
    /// It stands on the sockets of FlyingFox and not on its server, which reads a line of any length and waits for a reader for
    /// any time. Here all of that is bounded: connections, the head of a request, and each wait.
    final class InspectorListener: Sendable {
        private static let mostConnections = 64
        private static let patience = Duration.seconds(10)
        private static let patienceOfWriting = Duration.seconds(30)

        /// The port on which it listens.
        let port: UInt16

        private let inspector: Inspector
        private let pool: any AsyncSocketPool
        private let socket: AsyncSocket
        private let connections = Atomic(0)

        init(_ inspector: Inspector, on host: String, port: UInt16) async throws {
            self.inspector = inspector
            let pool = SocketPool.make()
            let socket = try Self.bind(.inet(ip4: host, port: port))
            guard case .ip4(_, let listening) = try socket.sockname() else { throw SocketError.unsupportedAddress }
            self.port = listening
            try await pool.prepare()
            self.pool = pool
            self.socket = try AsyncSocket(socket: socket, pool: pool)
        }

        private static func bind(_ address: sockaddr_in) throws -> Socket {
            let socket = try Socket(domain: Int32(address.family))
            // So that a program that is started again gets the port that its predecessor had.
            try socket.setValue(true, for: .localAddressReuse)
            try socket.bind(to: address)
            try socket.listen()
            return socket
        }

        /// Takes connections until the task is cancelled.
        func run() async {
            await withDiscardingTaskGroup { group in
                group.addTask { [pool] in try? await pool.run() }
                while !Task.isCancelled {
                    do {
                        let connection = try await socket.accept()
                        if connections.load(ordering: .relaxed) >= Self.mostConnections {
                            try connection.close()
                            continue
                        }
                        connections.add(1, ordering: .relaxed)
                        group.addTask {
                            await self.answer(connection)
                            try? connection.close()
                            self.connections.subtract(1, ordering: .relaxed)
                        }
                    } catch {
                        // The process may have no file left for now.
                        try? await Task.sleep(for: .milliseconds(100))
                    }
                }
                try? socket.close()
                group.cancelAll()
            }
        }

        /// Reads a request and answers it.
        private func answer(_ connection: AsyncSocket) async {
            guard let head = await Self.within(Self.patience, { try await Self.readHead(from: connection) }) else {
                return
            }
            let request = Inspector.Request(head: head)
            // What has no head is answered as a request without a path.
            let response = inspector.respond(
                to: request ?? Inspector.Request(method: "", target: "", headers: []))
            guard await write(response.head, to: connection) else { return }
            switch response.body {
            case .bytes(let bytes): _ = await write(bytes, to: connection)
            case .events(let events):
                for await part in events where !(await write(part, to: connection)) { return }
            }
        }

        /// - Returns: Whether it was written.
        private func write(_ bytes: [UInt8], to connection: AsyncSocket) async -> Bool {
            await Self.within(Self.patienceOfWriting) { try await connection.write(Data(bytes)) } != nil
        }

        private static func readHead(from connection: AsyncSocket) async throws -> [UInt8] {
            var bytes: [UInt8] = []
            while true {
                let known = bytes.count
                bytes += try await connection.read(atMost: 4096)
                if let end = Inspector.Request.endOfHead(in: bytes, from: known) { return Array(bytes[..<end]) }
                // Too long for a head; it is answered as such.
                if bytes.count > Inspector.Request.longestHead { return bytes }
            }
        }

        /// Does something, unless it takes too long or fails.
        private static func within<Result: Sendable>(
            _ time: Duration, _ body: @escaping @Sendable () async throws -> Result
        ) async -> Result? {
            await withTaskGroup(of: Result?.self) { group in
                group.addTask { try? await body() }
                group.addTask {
                    try? await Task.sleep(for: time)
                    return nil
                }
                defer { group.cancelAll() }
                return await group.next() ?? nil
            }
        }
    }
#endif
