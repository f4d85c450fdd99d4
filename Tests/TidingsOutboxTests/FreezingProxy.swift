#if Libpq
    import Foundation
    import Testing
    import Tidings

    /// A proxy in front of a PostgreSQL server. When it is frozen, connections stay open but transfer nothing.
    final class FreezingProxy: Sendable {
        private static let program = """
            import socket, sys, threading
            host, port = sys.argv[1], int(sys.argv[2])
            listener = socket.socket()
            listener.bind(("127.0.0.1", 0))
            listener.listen(100)
            print(listener.getsockname()[1], flush=True)
            def copy(source, target):
                try:
                    while data := source.recv(65536): target.sendall(data)
                except OSError: pass
                for end in (source, target):
                    try: end.shutdown(socket.SHUT_RDWR)
                    except OSError: pass
            while True:
                near, _ = listener.accept()
                far = socket.create_connection((host, port))
                for pair in ((near, far), (far, near)): threading.Thread(target=copy, args=pair, daemon=True).start()
            """

        private let process: Int32
        let port: Int

        init(host: String, port: Int) throws {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["python3", "-c", Self.program, host, "\(port)"]
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            self.process = process.processIdentifier
            var line = Data()
            while line.last != UInt8(ascii: "\n") {
                let data = output.fileHandleForReading.availableData
                if data.isEmpty { break }
                line += data
            }
            self.port = try #require(Int(String(decoding: line.dropLast(), as: UTF8.self)), "python3 printed no port")
        }

        deinit { kill(process, SIGKILL) }

        /// Suspends the proxy, and waits until all its threads have stopped. `kill` may return before that.
        func freeze() {
            kill(process, SIGSTOP)
            // `info` is valid during the call of `waitid`, which writes its result there. The result isn't used.
            var info = unsafe siginfo_t()
            while unsafe waitid(P_PID, id_t(process), &info, WSTOPPED | WNOWAIT) == -1, errno == EINTR {}
        }
        func goOn() { kill(process, SIGCONT) }
    }

    extension TestDatabase {
        private static func parameter(_ name: String) -> String? {
            postgresServer?.split(separator: " ").first { $0.hasPrefix("\(name)=") }.map {
                String($0.dropFirst(name.count + 1))
            }
        }

        static var server: (host: String, port: Int, user: String) {
            (
                parameter("host") ?? "127.0.0.1", Int(parameter("port") ?? "") ?? 5432, parameter("user") ?? "postgres"
            )
        }

        static func proxy() throws -> FreezingProxy { try FreezingProxy(host: server.host, port: server.port) }

        func parameters(through proxy: FreezingProxy) -> String {
            "host=127.0.0.1 port=\(proxy.port) user=\(Self.server.user) dbname=\(name)"
        }
    }
#endif
