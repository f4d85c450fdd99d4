extension Inspector {
    /// A request that came to a server, as much of it as matters.
    public struct Request: Sendable {
        /// The method, such as `GET`.
        public var method: String

        /// The path behind the place where the inspector is mounted, with the query: `/snapshot?limit=10`.
        public var target: String

        /// The names and values of the headers.
        public var headers: [(name: String, value: String)]

        /// Makes a request.
        ///
        /// - Parameters:
        ///   - method: The method.
        ///   - target: The path behind the place where the inspector is mounted, with the query.
        ///   - headers: The names and values of the headers.
        public init(method: String, target: String, headers: [(name: String, value: String)]) {
            self.method = method
            self.target = target
            self.headers = headers
        }

        /// The values of a header whose name is given in small letters.
        func values(of name: String) -> [String] {
            headers.prefix(200).filter { $0.name.lowercased() == name }.map { $0.value.trimmed }
        }
    }

    /// The answer to a request.
    public struct Response: Sendable {
        /// What is sent.
        public enum Body: Sendable {
            /// These bytes.
            case bytes([UInt8])
            /// Parts that come over time, each to be sent when it comes.
            case events(EventStream)
        }

        /// The status, such as 200.
        public var status: Int

        /// The names and values of the headers. The length of the body is left to the server.
        public var headers: [(name: String, value: String)]

        /// What is sent.
        public var body: Body
    }
}

extension String {
    /// Without spaces and tabs around it.
    fileprivate var trimmed: String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        return String(drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    }
}
