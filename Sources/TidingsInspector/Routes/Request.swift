extension Inspector {
    /// The parts of an HTTP request that the inspector reads.
    public struct Request: Sendable {
        /// The method, such as `GET`.
        public var method: String

        /// The path relative to the place where the inspector is mounted, with the query: `/snapshot?limit=10`.
        public var target: String

        /// The names and values of the headers.
        public var headers: [(name: String, value: String)]

        /// Creates a request.
        ///
        /// - Parameters:
        ///   - method: The method.
        ///   - target: The path relative to the place where the inspector is mounted, with the query.
        ///   - headers: The names and values of the headers.
        public init(method: String, target: String, headers: [(name: String, value: String)]) {
            self.method = method
            self.target = target
            self.headers = headers
        }

        func values(of name: String) -> [String] {
            headers.prefix(200).filter { $0.name.lowercased() == name }.map { $0.value.trimmed }
        }
    }

    /// The inspector's response to a request.
    public struct Response: Sendable {
        /// The body of a response.
        public enum Body: Sendable {
            /// The complete bytes.
            case bytes([UInt8])
            /// Parts that are created over time. Send each part as soon as it is available.
            case events(EventStream)
        }

        /// The status, such as 200.
        public var status: Int

        /// The names and values of the headers. The server adds the length of the body.
        public var headers: [(name: String, value: String)]

        /// The body.
        public var body: Body
    }
}

extension String {
    fileprivate var trimmed: String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        return String(drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    }
}
