import Foundation

/// A report about a notification that observers of Foundation's center didn't receive, or received late or incomplete.
///
/// Each problem is reported once for each post. Decoding errors aren't reported for observers that were added with
/// `addObserver(resultOf:)`, because these observers receive the error. By default, a report is printed as a line to
/// the standard error stream. Set ``handler`` to send reports to your log.
///
/// ```swift
/// NotificationReport.handler = { report in logger.warning("\(report)") }
/// ```
public struct NotificationReport: Hashable, Sendable {
    /// The kind of a report.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// A description of the kind.
        public let description: String

        /// The notification couldn't be decoded, so observers of the decoded value were skipped.
        public static let undecodable = Kind(description: "could not be decoded")
        /// The notification couldn't be encoded, so untyped observers receive it without its values.
        public static let unencodable = Kind(description: "could not be encoded")
        /// The notification is isolated to the main actor and was posted elsewhere. Its observers are called on the
        /// main actor afterwards.
        public static let postedOffMainActor = Kind(description: "was posted off the main actor")
    }

    /// The name of the notification.
    public let notification: String

    /// The kind of the report.
    public let kind: Kind

    /// The error, if the notification could not be decoded.
    public let error: NotificationDecodingError?

    /// The error, if the notification could not be encoded.
    public let encodingError: NotificationEncodingError?

    /// The origin of a notification that couldn't be decoded; `nil` if unknown. For a typed post, this is the source
    /// line. For an untyped post, it describes the object or, without an object, the function that posted.
    public let poster: String?

    init(
        _ kind: Kind, of notification: String, _ error: NotificationDecodingError? = nil,
        _ encodingError: NotificationEncodingError? = nil, postedBy poster: String? = nil
    ) {
        self.notification = notification
        self.kind = kind
        self.error = error
        self.encodingError = encodingError
        self.poster = poster
    }
}

extension NotificationReport: CustomStringConvertible {
    /// A sentence that describes the report.
    public var description: String {
        guard let error else { return encodingError.map(String.init(describing:)) ?? "\(notification): \(kind)" }
        // If the notification as a whole is wrong, the poster is the most important information.
        guard error.reason == .untyped || error.keyPath.isEmpty, let poster else { return "\(error)" }
        return "\(error); posted by \(poster)"
    }
}

extension NotificationReport {
    /// Holds the closure in a struct, because a generic container wraps a bare closure in a thunk at each access.
    private struct Handler: Sendable {
        let call: @Sendable (NotificationReport) -> Void
    }

    private static let current = Lock(
        Handler { report in FileHandle.standardError.write(Data("Tidings: \(report)\n".utf8)) })

    /// The closure that receives every report, during the post that caused it, on any thread. It can be replaced.
    public static var handler: @Sendable (NotificationReport) -> Void {
        get { current.withLock { $0 }.call }
        set {
            // `withLock` returns the old handler, which is therefore released after the unlock.
            let handler = Handler(call: newValue)
            _ = current.withLock { current in
                defer { current = handler }
                return current
            }
        }
    }

    func send(to monitoring: Monitoring?) {
        Self.handler(self)
        monitoring?.send(.failed(NotificationFailure(self)))
    }
}

extension NotificationFailure {
    fileprivate init(_ report: NotificationReport) {
        self.init(
            notification: report.notification, kind: report.kind.description, description: report.description,
            error: report.error ?? report.encodingError)
    }
}
