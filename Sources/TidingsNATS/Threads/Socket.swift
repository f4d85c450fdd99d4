#if NATS
    import TidingsRelay

    #if canImport(Darwin)
        import Darwin
    #else
        import Glibc
    #endif

    /// A TCP connection that never blocks who reads or writes. It is closed when this is released.
    final class Socket: Sendable {
        /// What became of reading or writing.
        enum Outcome: Equatable {
            /// So many bytes were.
            case moved(Int)
            /// None at the moment.
            case blocked
            /// The other side has closed the connection, or it was lost.
            case ended(String)
        }

        let descriptor: Int32

        private init(_ descriptor: Int32) { self.descriptor = descriptor }

        deinit { close(descriptor) }

        /// Connects. This blocks, for as long as it takes to look the name up, and then up to a limit for each of its addresses.
        ///
        /// - Parameters:
        ///   - host: A name, or an address in digits.
        ///   - port: The port.
        ///   - milliseconds: The limit.
        /// - Returns: The connection, or why there is none.
        static func connect(to host: String, _ port: Int, within milliseconds: Int32) -> Result<Socket, Failure> {
            // No pointer in it is set.
            var hints = unsafe addrinfo()
            unsafe hints.ai_family = AF_UNSPEC
            #if canImport(Darwin)
                unsafe hints.ai_socktype = SOCK_STREAM
            #else
                unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
            #endif
            var found: UnsafeMutablePointer<addrinfo>?
            // It makes a list, which is freed below.
            let status = unsafe getaddrinfo(host, String(port), &hints, &found)
            defer { if let found = unsafe found { unsafe freeaddrinfo(found) } }
            guard status == 0 else {
                // A string constant of the library.
                return .failure(Failure(unsafe String(cString: gai_strerror(status))))
            }
            var failure = Failure("the name has no address")
            var next = unsafe found
            while let address = unsafe next {
                switch unsafe connect(to: address.pointee, within: milliseconds) {
                case .success(let socket): return .success(socket)
                case .failure(let reason): failure = reason
                }
                unsafe next = address.pointee.ai_next
            }
            return .failure(failure)
        }

        /// Why there is no connection, in words.
        struct Failure: Error {
            let reason: String
            init(_ reason: String) { self.reason = reason }
        }

        private static func connect(to address: addrinfo, within milliseconds: Int32) -> Result<Socket, Failure> {
            let descriptor = unsafe socket(address.ai_family, address.ai_socktype, address.ai_protocol)
            if descriptor < 0 { return .failure(Failure(reason(errno))) }
            let made = Socket(descriptor)
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            made.set(Int32(IPPROTO_TCP), TCP_NODELAY)
            #if canImport(Darwin)
                made.set(SOL_SOCKET, SO_NOSIGPIPE)
                let connected = unsafe Darwin.connect(descriptor, address.ai_addr, address.ai_addrlen)
            #else
                // The address belongs to the list, which exists during the call.
                let connected = unsafe Glibc.connect(descriptor, address.ai_addr, address.ai_addrlen)
            #endif
            if connected == 0 { return .success(made) }
            if errno != EINPROGRESS { return .failure(Failure(reason(errno))) }
            if !made.wait(for: POLLOUT, within: milliseconds) { return .failure(Failure(reason(ETIMEDOUT))) }
            var (error, size) = (Int32(0), socklen_t(4))
            // The number is a local variable of the size that is told.
            _ = unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size)
            return error == 0 ? .success(made) : .failure(Failure(reason(error)))
        }

        private func set(_ level: Int32, _ option: Int32) {
            var isOn: Int32 = 1
            // The number is a local variable of the size that is told. A connection that cannot be set up so is slower.
            _ = unsafe setsockopt(descriptor, level, option, &isOn, 4)
        }

        /// Waits until the connection is ready.
        ///
        /// - Returns: Whether it is; `false` if the time is up.
        func wait(for event: Int32, within milliseconds: Int32) -> Bool {
            var polled = pollfd(fd: descriptor, events: Int16(event), revents: 0)
            // One element, which is a local variable.
            return unsafe poll(&polled, 1, milliseconds) > 0
        }

        /// Writes what can be written at once.
        ///
        /// - Parameters:
        ///   - bytes: Some bytes.
        ///   - position: Where to begin.
        /// - Returns: How many bytes were, or why none.
        func send(_ bytes: [UInt8], from position: Int) -> Outcome {
            outcome {
                unsafe bytes.withUnsafeBytes { buffer in
                    let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[position...])
                    // Not a signal when the other side has gone. The bytes exist during the call.
                    #if canImport(Darwin)
                        return unsafe Darwin.send(descriptor, rest.baseAddress, rest.count, 0)
                    #else
                        return unsafe Glibc.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
                    #endif
                }
            }
        }

        /// Reads what has come.
        ///
        /// - Parameters:
        ///   - bytes: Some bytes, which are overwritten.
        ///   - position: From where on.
        /// - Returns: How many bytes were, or why none.
        func receive(_ bytes: inout [UInt8], from position: Int) -> Outcome {
            let outcome = outcome {
                unsafe bytes.withUnsafeMutableBytes { buffer in
                    let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[position...])
                    // Not more bytes than there are.
                    return unsafe recv(descriptor, rest.baseAddress, rest.count, 0)
                }
            }
            return outcome == .moved(0) ? .ended("the server has closed the connection") : outcome
        }

        private func outcome(_ call: () -> Int) -> Outcome {
            while true {
                let count = call()
                if count >= 0 { return .moved(count) }
                let error = errno
                if error == EAGAIN || error == EWOULDBLOCK { return .blocked }
                if error != EINTR { return .ended(Self.reason(error)) }
            }
        }

        private static func reason(_ error: Int32) -> String {
            // The C library's own text, which it keeps for the errors that it knows.
            unsafe strerror(error).map { unsafe String(cString: $0) } ?? "error \(error)"
        }
    }
#endif
