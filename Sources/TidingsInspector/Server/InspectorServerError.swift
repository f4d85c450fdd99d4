/// Why an inspector cannot be served.
public struct InspectorServerError: Error, Hashable, CustomStringConvertible {
    /// What has gone wrong.
    public struct Code: Hashable, Sendable {
        private enum Kind { case portInUse, addressRefused, token }
        private let kind: Kind

        /// Another program, or another inspector, listens at the port.
        public static let portInUse = Code(kind: .portInUse)

        /// The system refuses the address or the port.
        public static let addressRefused = Code(kind: .addressRefused)

        /// The token that was chosen is none.
        public static let token = Code(kind: .token)
    }

    /// What has gone wrong.
    public let code: Code

    /// The same in a sentence, which says what to do.
    public let description: String

    static func noToken(_ reason: String) -> InspectorServerError {
        InspectorServerError(code: .token, description: reason)
    }
}

#if InspectorServer
    import FlyingSocks
    import Foundation

    extension InspectorServerError {
        /// What a socket has said.
        init(_ error: any Error, _ host: String, _ port: UInt16) {
            if case SocketError.failed(_, EADDRINUSE, _) = error {
                self.init(
                    code: .portInUse,
                    description: "the inspector cannot listen at \(host):\(port), as somebody does already: choose "
                        + "another port, or 0 for one that is free")
            } else {
                let reason =
                    if case SocketError.failed(_, _, let message) = error { message } else { "\(error)" }
                self.init(
                    code: .addressRefused,
                    description: "the inspector cannot listen at \(host):\(port): \(reason)")
            }
        }
    }
#endif
