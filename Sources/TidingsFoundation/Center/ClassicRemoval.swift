public import Foundation

// In a file that imports this module, these methods replace Foundation's. Unlike Foundation's, they also end an
// object's observations through Tidings, so that a class can be converted one observer at a time.

extension NotificationCenter {
    /// Removes an object's observers: those registered with Foundation's own API, and the Tidings observers it owns.
    ///
    /// In a file that doesn't import TidingsFoundation, the same call is Foundation's method, which doesn't end Tidings
    /// observers. They then end when their owner is deallocated.
    ///
    /// - Parameter observer: The object, or the result of `addObserver(forName:object:queue:using:)`.
    public func removeObserver(_ observer: AnyObject) {
        removeObserver(observer as Any)
        removeObservers(of: observer)
    }

    /// Removes an object's observers of a name and a sender: those registered with Foundation's own API, and the
    /// Tidings observers that it owns. The name of a Tidings observer is that of its notification type or descriptor.
    ///
    /// In a file that doesn't import TidingsFoundation, the same call is Foundation's method, which doesn't end Tidings
    /// observers.
    ///
    /// - Parameters:
    ///   - observer: The object.
    ///   - name: The name; `nil` for every name.
    ///   - object: Removes only observers that are limited to this sender; `nil` for all.
    public func removeObserver(_ observer: AnyObject, name: Notification.Name?, object: Any?) {
        removeObserver(observer as Any, name: name, object: object)
        let limit = SenderFilter<Any?>(unchecked: object, .atRunTime)
        for owned in observers(of: observer) where name == nil || owned.subject.name == name?.rawValue {
            if owned.isLimited(to: limit) { owned.cancel() }
        }
    }
}
