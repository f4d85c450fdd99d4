#if InspectorServer
    import FlyingSocks
    import Foundation
    import Tidings

    /// Accepts connections, and serves them on its own thread. The listener never waits for a task, because an
    /// inspector is needed most while the cooperative pool is blocked. It uses FlyingFox's sockets, but not FlyingFox's
    /// server, which runs on the cooperative pool, and limits neither line lengths nor slow readers.
    final class InspectorListener: Sendable {
        static let mostConnections = 64
        private static let longestSleep = 0.25

        let port: UInt16
        private let inspector: Inspector
        private let socket: Socket
        private let isStopped = AtomicByte(false)

        init(_ inspector: Inspector, on host: String, port: UInt16) throws(InspectorServerError) {
            self.inspector = inspector
            do {
                let address = try sockaddr_in.inet(ip4: host, port: port)
                let socket = try Socket(domain: Int32(address.family))
                try socket.setValue(true, for: .localAddressReuse)
                try socket.bind(to: address)
                try socket.listen()
                try socket.setFlags(.nonBlocking)
                guard case .ip4(_, let listening) = try socket.sockname() else { throw SocketError.unsupportedAddress }
                (self.socket, self.port) = (socket, listening)
            } catch {
                throw InspectorServerError(error, host, port)
            }
        }

        func start() {
            let thread = Thread { self.run() }
            thread.name = "tidings-inspector"
            thread.start()
        }

        func stop() { isStopped.store(true, ordering: .releasing) }

        private func run() {
            var connections: [Socket.FileDescriptor: InspectorConnection] = [:]
            while !isStopped.load(ordering: .acquiring) {
                let now = Self.now
                for (file, connection) in connections {
                    connection.advance(at: now)
                    if connection.isOver {
                        connection.close()
                        connections[file] = nil
                    }
                }
                let due = connections.values.compactMap(\.due).min() ?? .infinity
                let ready = wait(for: connections, atMost: min(max(0, due - now), Self.longestSleep))
                for file in ready {
                    if file == socket.file {
                        accept(into: &connections)
                    } else {
                        connections[file]?.isReady(at: Self.now)
                    }
                }
            }
            for connection in connections.values { connection.end(at: Self.now) }
            try? socket.close()
        }

        private func wait(
            for connections: [Socket.FileDescriptor: InspectorConnection], atMost seconds: Double
        ) -> [Socket.FileDescriptor] {
            // The time is rounded up, so that the thread doesn't wake early and poll repeatedly with a timeout of zero.
            var poll = Poll(interval: .seconds((seconds * 1000).rounded(.up) / 1000))
            poll.open()
            do {
                try poll.addEvents([.read], for: socket.file)
                for (file, connection) in connections {
                    try poll.addEvents(connection.isWriting ? [.read, .write] : [.read], for: file)
                }
                return try poll.getNotifications().map(\.file)
            } catch {
                // For example, a signal interrupted the wait.
                Thread.sleep(forTimeInterval: 0.01)
                return []
            }
        }

        private func accept(into connections: inout [Socket.FileDescriptor: InspectorConnection]) {
            for _ in 0..<InspectorListener.mostConnections {
                let file: Socket.FileDescriptor
                do {
                    file = try socket.accept().file
                } catch SocketError.blocked {
                    return
                } catch {
                    // Without free file descriptors, the socket stays readable, so `poll` would return at once.
                    Thread.sleep(forTimeInterval: 0.01)
                    return
                }
                let new = Socket(file: file)
                try? new.setFlags(.nonBlocking)
                if connections.count >= Self.mostConnections {
                    let silent = connections.filter { $0.value.isSilent }.min { $0.value.began < $1.value.began }
                    guard let silent else {
                        try? new.close()
                        continue
                    }
                    silent.value.close()
                    connections[silent.key] = nil
                }
                connections[file] = InspectorConnection(new, inspector, at: Self.now)
            }
        }

        private static var now: Double { SuspendingClock.now.duration(to: origin).inSeconds * -1 }
        private static let origin = SuspendingClock.now
    }
#endif
