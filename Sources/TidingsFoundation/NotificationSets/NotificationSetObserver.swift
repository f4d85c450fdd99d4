public import Foundation

/// A class that observes sets of events of a framework, registered with one call and deregistered with one.
///
/// Make such a protocol for a set of your own, with a descriptor that has a value for each event, as
/// ``KeyboardNotificationObserver`` is made for ``KeyboardNotification``:
///
/// ```swift
/// enum DiskEvent: String, MainActorNotificationDescriptor {
///     case mounted, ejected
///     typealias Payload = Disk
///     var name: Notification.Name { .init("DiskEvent.\(rawValue)") }
/// }
///
/// @MainActor protocol DiskObserver: NotificationSetObserver {
///     func received(_ event: DiskEvent, disk: Disk)
/// }
///
/// extension DiskObserver {
///     func registerDiskEvents(_ events: Set<DiskEvent>) {
///         registerNotifications(events) { me, event, disk in me.received(event, disk: disk) }
///     }
///     func deregisterDiskEvents() { deregisterNotifications(DiskEvent.self) }
/// }
/// ```
///
/// A class can adopt several of them. It is never retained, and needs no property for tokens: what it forgets to deregister
/// ends with it.
@MainActor
public protocol NotificationSetObserver: AnyObject, Sendable {
    /// The center with which to register. Defaults to `NotificationCenter.default`.
    var notificationCenter: NotificationCenter { get }
}

extension NotificationSetObserver {
    /// Foundation's default center.
    public var notificationCenter: NotificationCenter { .default }

    /// Begins to receive events, in place of those of their type that were registered before.
    ///
    /// - Parameters:
    ///   - events: The events.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - receive: The closure, called in the post with the observer, which it need not capture.
    @export(implementation)
    public func registerNotifications<Event: MainActorNotificationDescriptor & Hashable>(
        _ events: Set<Event>, fileID: StaticString = #fileID, line: UInt = #line,
        using receive: @escaping @MainActor (Self, Event, Event.Payload) -> Void
    ) {
        let tokens = events.map { event in
            notificationCenter.addObserver(self, descriptor: event, fileID: fileID, line: line) { me, payload in
                receive(me, event, payload)
            }
        }
        RegisteredSets.replace(Event.self, of: self, with: tokens)
    }

    /// Ends receiving events of a type. Calling it again does nothing.
    ///
    /// - Parameter type: The type of the events.
    @export(implementation)
    public func deregisterNotifications<Event: MainActorNotificationDescriptor>(_ type: Event.Type) {
        RegisteredSets.replace(Event.self, of: self, with: [])
    }
}

/// The tokens of the sets of events that are registered, so that observers need not keep them.
@MainActor
@usableFromInline
package enum RegisteredSets {
    private struct Key: Hashable {
        let observer: ObjectIdentifier
        let events: ObjectIdentifier
    }

    private struct Entry {
        weak let observer: AnyObject?
        let tokens: [NotificationToken]
    }

    private static var entries: [Key: Entry] = [:]
    private static var sweepCount = 64

    /// How many sets are kept; those of dead observers count until they are swept.
    package static var count: Int { entries.count }

    /// Ends what an observer has registered for a type of events, and keeps other tokens in its place.
    @usableFromInline
    static func replace(_ events: Any.Type, of observer: AnyObject, with tokens: [NotificationToken]) {
        let key = Key(observer: ObjectIdentifier(observer), events: ObjectIdentifier(events))
        // The entry may be that of a dead observer that had the same address: its tokens have ended already.
        let ended = entries.removeValue(forKey: key)
        if !tokens.isEmpty { entries[key] = Entry(observer: observer, tokens: tokens) }
        for token in ended?.tokens ?? [] { token.cancel() }
        sweep()
    }

    /// Removes the sets of dead observers, each time their number may have doubled.
    private static func sweep() {
        if entries.count < sweepCount { return }
        let dead = entries.filter { $0.value.observer == nil }
        for key in dead.keys { entries[key] = nil }
        sweepCount = max(64, 2 * entries.count)
        for token in dead.values.flatMap(\.tokens) { token.cancel() }
    }
}
