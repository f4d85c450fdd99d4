public import Foundation

/// A class that observes sets of events. One call registers the object for a set, and one call deregisters it.
///
/// For your own set, declare a descriptor with a value for each event, and a protocol that inherits from this protocol:
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
/// A class can adopt several such protocols. The observer is never retained. Its deallocation ends its observations.
@MainActor
public protocol NotificationSetObserver: AnyObject, Sendable {
    /// The center with which to register. The default is `NotificationCenter.default`.
    var notificationCenter: NotificationCenter { get }
}

extension NotificationSetObserver {
    /// Foundation's default center.
    public var notificationCenter: NotificationCenter { .default }

    /// Starts receiving events. These replace the events of the same type that were registered before.
    ///
    /// - Parameters:
    ///   - events: The events.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - receive: The closure, called during the post. The observer is its first argument.
    @export(implementation)
    public func registerNotifications<Event: MainActorNotificationDescriptor & Hashable>(
        _ events: Set<Event>, fileID: StaticString = #fileID, line: UInt = #line,
        using receive: @escaping @MainActor (Self, Event, Event.Payload) -> Void
    ) {
        // The old tokens are removed first, so that the new observers aren't reported as repeated registrations.
        RegisteredSets.replace(Event.self, of: self, with: [])
        let tokens = events.map { event in
            notificationCenter.addObserver(self, descriptor: event, fileID: fileID, line: line) { me, payload in
                receive(me, event, payload)
            }
        }
        RegisteredSets.replace(Event.self, of: self, with: tokens)
    }

    /// Stops receiving events of a type. Calling it again has no effect.
    ///
    /// - Parameter type: The type of the events.
    @export(implementation)
    public func deregisterNotifications<Event: MainActorNotificationDescriptor>(_ type: Event.Type) {
        RegisteredSets.replace(Event.self, of: self, with: [])
    }
}

/// The tokens of all set observers, so that the observers don't have to store their tokens.
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

    /// The number of registered sets. Sets of deallocated observers are included until a sweep removes them.
    package static var count: Int { entries.count }

    @usableFromInline
    static func replace(_ events: Any.Type, of observer: AnyObject, with tokens: [NotificationToken]) {
        let key = Key(observer: ObjectIdentifier(observer), events: ObjectIdentifier(events))
        // The entry may belong to a deallocated observer with the same address, whose tokens have ended.
        let ended = entries.removeValue(forKey: key)
        if !tokens.isEmpty { entries[key] = Entry(observer: observer, tokens: tokens) }
        for token in ended?.tokens ?? [] { token.cancel() }
        sweep()
    }

    private static func sweep() {
        if entries.count < sweepCount { return }
        let dead = entries.filter { $0.value.observer == nil }
        for key in dead.keys { entries[key] = nil }
        sweepCount = max(64, 2 * entries.count)
        for token in dead.values.flatMap(\.tokens) { token.cancel() }
    }
}
