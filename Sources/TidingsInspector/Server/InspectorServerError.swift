/// The reason why an inspector's server can't start.
public struct InspectorServerError: Error, Hashable, CustomStringConvertible {
    /// The kind of an error.
    public struct Code: Hashable, Sendable {
        private enum Kind { case portInUse, addressRefused, token }
        private let kind: Kind

        /// Another program, or another inspector, is listening on the port.
        public static let portInUse = Code(kind: .portInUse)

        /// The system rejects the address or the port.
        public static let addressRefused = Code(kind: .addressRefused)

        /// The chosen token is invalid.
        public static let token = Code(kind: .token)
    }

    /// The kind of the error.
    public let code: Code

    /// The problem in one sentence, with its solution if the inspector can name one.
    public let description: String
}

#if InspectorServer
    import FlyingSocks
    import Foundation

    extension InspectorServerError {
        init(_ error: any Error, _ host: String, _ port: UInt16) {
            if case SocketError.failed(_, EADDRINUSE, _) = error {
                self.init(
                    code: .portInUse,
                    description: "the inspector cannot listen at \(host):\(port), because the port is in use: choose "
                        + "another port, or 0 for a free one")
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
