public import Foundation

/// A typed notification that has several names on Foundation's center, one for each of its events.
///
/// Frameworks post the same data under several names, for example when a request was resumed or cancelled:
///
/// ```swift
/// struct RequestChanged: BridgedNotification, NotificationFamily, Codable {
///     enum Event: String, CaseIterable {
///         case resumed = "org.example.request.didResume"
///         case cancelled = "org.example.request.didCancel"
///     }
///     @FamilyEvent var event: Event
///     var url: URL
/// }
///
/// center.addObserver(for: RequestChanged.self) { note in print(note.event, note.url) }.store(in: &tokens)
/// center.addObserver(for: RequestChanged.self, where: { $0.event == .cancelled }) { note in ... }.store(in: &tokens)
/// center.post(RequestChanged(event: .cancelled, url: url))
/// ```
///
/// On Foundation's center, a post has the name of its event, so it reaches untyped observers of that name. An observer
/// of the type receives the posts of all events, in order. Lists of observers contain such an observer once for each
/// name. On other centers, only the type matters. The type can be a ``BridgedNotification``, a
/// ``MainActorBridgedNotification``, or neither.
///
/// In a module whose default isolation is the main actor, declare the event as a `nonisolated enum`.
public protocol NotificationFamily: NotificationContent {
    /// The type of the events. Their raw values are the names.
    associatedtype Event: RawRepresentable & CaseIterable & Sendable & SendableMetatype where Event.RawValue == String

    /// The event that has happened.
    var event: Event { get }
}

extension NotificationFamily {
    static var names: [String] {
        var seen: Set<String> = []
        return Event.allCases.map(\.rawValue).filter { seen.insert($0).inserted }
    }
}

extension OnMainActor: NotificationFamily where N: NotificationFamily {
    @usableFromInline package var event: N.Event { notification.event }
}

extension BridgedNotification where Self: Encodable & NotificationFamily {
    /// Encodes the typed notification as `userInfo`, with the event's name, and the sender as the object.
    public func bridged() throws(NotificationEncodingError) -> Notification {
        try Notification(encoding: self, named: event.rawValue, from: sender, form: Self.userInfoForm)
    }
}

extension MainActorBridgedNotification where Self: Encodable & NotificationFamily {
    /// Encodes the typed notification as `userInfo`, with the event's name, and the sender as the object.
    @MainActor
    public func bridged() throws(NotificationEncodingError) -> Notification {
        try Notification(encoding: self, named: event.rawValue, from: sender, form: Self.userInfoForm)
    }
}
