import Foundation

/// Tells about a Foundation notification that observers did not get as they should.
///
/// An observer that cannot be called with an error of its own is skipped, or called later, and the reason is told here: once
/// for each post and reason, however many observers were concerned. By default a report is a line on the standard error
/// stream; set ``handler`` to send it to your log.
///
/// ```swift
/// NotificationReport.handler = { report in logger.warning("\(report)") }
/// ```
public struct NotificationReport: Hashable, Sendable {
    /// What happened to the notification.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// What happened, in words.
        public let description: String

        /// It could not be decoded; its observers were skipped. The report has the error.
        public static let undecodable = Kind(description: "could not be decoded")
        /// It could not be encoded; classic observers got it without a `userInfo`. The report has the error.
        public static let unencodable = Kind(description: "could not be encoded")
        /// It belongs to the main actor and was posted elsewhere; its observers are called on the main actor afterwards.
        public static let postedOffMainActor = Kind(description: "was posted off the main actor")
    }

    /// The name of the notification.
    public let notification: String

    /// What happened to the notification.
    public let kind: Kind

    /// The error, if the notification could not be decoded.
    public let error: NotificationDecodingError?

    /// The error, if the notification could not be encoded.
    public let encodingError: NotificationEncodingError?

    /// Who posted what could not be decoded, in words: the line of a typed post, the type of a classic post's object, or, if it has
    /// none, the function that posted it as the system's list of calls has it. `nil` if nothing of that is known.
    public let poster: String?

    init(undecodable error: NotificationDecodingError, poster: String?) {
        notification = error.notification
        kind = .undecodable
        self.error = error
        encodingError = nil
        self.poster = poster
    }

    init(unencodable error: NotificationEncodingError) {
        notification = error.notification
        kind = .unencodable
        self.error = nil
        encodingError = error
        poster = nil
    }

    init(postedOffMainActor name: Notification.Name) {
        notification = name.rawValue
        kind = .postedOffMainActor
        error = nil
        encodingError = nil
        poster = nil
    }
}

extension NotificationReport: CustomStringConvertible {
    /// The report in one sentence.
    public var description: String {
        guard let error else { return encodingError.map(String.init(describing:)) ?? "\(notification): \(kind)" }
        // Who posted is what one has to know where a value is missing as a whole.
        guard error.reason == .untyped || error.keyPath.isEmpty, let poster else { return "\(error)" }
        return "\(error); posted by \(poster)"
    }
}

extension NotificationReport {
    /// Kept in a struct: a bare closure read out of a generic container is wrapped in a thunk at each access.
    private struct Handler: Sendable {
        let call: @Sendable (NotificationReport) -> Void
    }

    private static let current = Lock(
        Handler { report in FileHandle.standardError.write(Data("Tidings: \(report)\n".utf8)) })

    /// The closure that is called with every report, in the post that led to it, on any thread. It can be replaced at any
    /// time.
    public static var handler: @Sendable (NotificationReport) -> Void {
        get { current.withLock { $0 }.call }
        set {
            // The old handler is released after the lock.
            let handler = Handler(call: newValue)
            _ = current.withLock { current in
                defer { current = handler }
                return current
            }
        }
    }

    /// Tells the handler, and the monitors of the center where it happened.
    func send(to monitoring: Monitoring?) {
        Self.handler(self)
        monitoring?.send(.failed(NotificationFailure(self)))
    }
}

extension NotificationFailure {
    /// What a report is to a monitor.
    fileprivate init(_ report: NotificationReport) {
        self.init(
            notification: report.notification, kind: report.kind.description, description: report.description,
            error: report.error ?? report.encodingError)
    }
}
