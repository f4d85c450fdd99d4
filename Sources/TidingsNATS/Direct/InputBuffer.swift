#if NATS
    import TidingsRelay

    /// What has come from a server and has not been read yet.
    struct InputBuffer: Sendable {
        /// All that the buffer has room for. What has come ends at `end`.
        private(set) var bytes = [UInt8](repeating: 0, count: 1 << 16)
        private var end = 0
        private var reader = OperationReader()

        /// Reads from a connection, once. What was said of places in ``bytes`` before is not true any more.
        mutating func fill(from socket: Socket) -> Socket.Outcome {
            makeRoom()
            let outcome = socket.receive(&bytes, from: end)
            if case .moved(let count) = outcome { end += count }
            return outcome
        }

        /// The next operation, and where it begins; `nil` if more has to come first.
        mutating func next() throws(OperationReader.Malformed) -> (operation: ServerOperation, start: Int)? {
            var reader = reader
            let start = reader.position
            guard let operation = try reader.next(in: bytes.span.extracting(0..<end)) else { return nil }
            self.reader = reader
            return (operation, start)
        }

        /// Where the next operation begins.
        var position: Int { reader.position }

        /// Moves the beginning of an operation to the front, and makes the buffer larger if it has no room for the rest.
        private mutating func makeRoom() {
            let start = reader.position
            if start > 0 {
                for index in start..<end { bytes[index - start] = bytes[index] }
                end -= start
                reader = OperationReader()
            }
            // Never by more than has come: nobody makes it large by saying that something large will come.
            if end == bytes.count { bytes += [UInt8](repeating: 0, count: bytes.count) }
        }
    }
#endif
