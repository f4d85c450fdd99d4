#if NATS
    import CNATS
    import TidingsRelay

    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    #if canImport(Darwin)
        import Darwin
    #else
        import Glibc
    #endif

    /// The first words between a program and a server, at the end of which the server has accepted the program, or not.
    struct Handshake {
        /// How long the connection may take, and then all answers together, in milliseconds.
        private static let patience: Int32 = 2000

        /// What a server has accepted.
        struct Accepted {
            let socket: Socket
            let server: ServerInformation
            /// What it has sent besides.
            let input: InputBuffer
        }

        /// Why there is no connection.
        enum Failure: Error {
            /// It has to be encrypted, which is not done here.
            case needsEncryption
            /// The server does not let the program in.
            case refused(String)
            case impossible(String)
        }

        private let socket: Socket
        private var input = InputBuffer()
        private let end = ContinuousClock.now + .milliseconds(Int(patience))

        /// Connects. This blocks.
        ///
        /// - Parameters:
        ///   - address: Where the server is.
        ///   - login: Who the program says it is, if the address does not.
        ///   - name: What the connection is called in the server's lists.
        /// - Returns: What the server has accepted, or why it has not.
        static func connect(
            _ address: ServerAddress, _ login: NATSServer.Login, name: String
        ) -> Result<Accepted, Failure> {
            switch Socket.connect(to: address.host, address.port, within: patience) {
            case .failure(let failure): return .failure(.impossible(failure.reason))
            case .success(let socket):
                return Result { () throws(Failure) in
                    var handshake = Handshake(socket: socket)
                    return try handshake.run(address, login, name)
                }
            }
        }

        private init(socket: Socket) { self.socket = socket }

        private mutating func run(
            _ address: ServerAddress, _ login: NATSServer.Login, _ name: String
        ) throws(Failure) -> Accepted {
            guard case .information(let place) = try next(), let server = ServerInformation(input.bytes[place]) else {
                throw .impossible("what answers is no server of NATS")
            }
            if server.needsEncryption { throw .needsEncryption }
            if !server.hasHeaders { throw .impossible("the server is older than 2.2: it takes no headers") }
            var text = ClientText()
            text.connect(try Self.client(address, login, name, server))
            text.ping()
            try send(text)
            while true {
                switch try next() {
                case .pong: return Accepted(socket: socket, server: server, input: input)
                case .refusal(let words):
                    let isLogin = ["authorization", "authentication"].contains { words.lowercased().contains($0) }
                    throw isLogin ? .refused(words) : .impossible(words)
                default: continue
                }
            }
        }

        private func send(_ text: ClientText) throws(Failure) {
            var position = 0
            while position < text.bytes.count {
                switch socket.send(text.bytes, from: position) {
                case .moved(let count): position += count
                case .blocked: try wait(for: POLLOUT)
                case .ended(let reason): throw .impossible(reason)
                }
            }
        }

        private mutating func next() throws(Failure) -> ServerOperation {
            while true {
                do throws(OperationReader.Malformed) {
                    if let found = try input.next() { return found.operation }
                } catch { throw .impossible("the server sent \(error)") }
                switch input.fill(from: socket) {
                case .moved: if ContinuousClock.now > end { throw .impossible("the server does not answer") }
                case .blocked: try wait(for: POLLIN)
                case .ended(let reason): throw .impossible(reason)
                }
            }
        }

        private func wait(for event: Int32) throws(Failure) {
            let rest = ContinuousClock.now.duration(to: end) / .milliseconds(1)
            if rest <= 0 || !socket.wait(for: event, within: Int32(rest) + 1) {
                throw .impossible("the server does not answer")
            }
        }

        // MARK: Who the program is

        private static func client(
            _ address: ServerAddress, _ login: NATSServer.Login, _ name: String, _ server: ServerInformation
        ) throws(Failure) -> [UInt8] {
            var client = ClientInformation(name: name)
            switch login {
            case .anonymous:
                if let password = address.password {
                    (client.user, client.pass) = (address.user, password)
                } else {
                    client.auth_token = address.user
                }
            case .user(let user, let password): (client.user, client.pass) = (user, password)
            case .token(let token): client.auth_token = token
            case .credentials(let file):
                let text = try text(of: file, "the credentials")
                guard let token = part("NATS USER JWT", of: text), let seed = part("USER NKEY SEED", of: text) else {
                    throw .impossible("\(file) has no credentials")
                }
                client.jwt = token
                client.sig = try signature(of: server.nonce, seed, file)
            case .key(let key, let file):
                client.nkey = key
                client.sig = try signature(of: server.nonce, try text(of: file, "the seed"), file)
            }
            do { return try client.json() } catch { throw .impossible("\(error)") }
        }

        private static func text(of file: String, _ what: String) throws(Failure) -> String {
            do { return try String(contentsOfFile: file, encoding: .utf8) } catch {
                throw .impossible("\(what) in \(file) cannot be read")
            }
        }

        /// The line between two that say what it is.
        private static func part(_ name: String, of text: String) -> String? {
            let lines = text.split(whereSeparator: \.isNewline)
            guard let start = lines.firstIndex(where: { $0.hasPrefix("---") && $0.contains("BEGIN \(name)") }),
                lines.indices.contains(start + 1)
            else { return nil }
            return String(lines[start + 1].filter { !$0.isWhitespace })
        }

        /// What shows that the program has a key.
        private static func signature(of nonce: String?, _ seed: String, _ file: String) throws(Failure) -> String? {
            guard let nonce else { return nil }
            var bytes: UnsafeMutablePointer<UInt8>?
            var count: Int32 = 0
            let seed = seed.filter { !$0.isWhitespace }
            // The bytes are the caller's to free.
            let status = unsafe nats_Sign(seed, nonce, &bytes, &count)
            defer { unsafe free(bytes) }
            guard status == NATS_OK, let bytes = unsafe bytes else {
                throw .impossible("\(file) has no seed: \(String(status))")
            }
            let data = unsafe Data(bytes: bytes, count: Int(count))
            // As it stands in URLs, without what fills it up.
            return String(
                data.base64EncodedString().compactMap { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 == "=" ? nil : $0 })
        }
    }
#endif
