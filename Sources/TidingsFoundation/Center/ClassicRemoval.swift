public import Foundation

// In a file that imports this module, these methods replace Foundation's. Unlike Foundation's, they also end an
// object's observations through Tidings, so that a class can be converted one observer at a time.

extension NotificationCenter {
    /// Removes all observers of an object: classic observers, and Tidings observers whose owner is the object.
    ///
    /// In a file that doesn't import TidingsFoundation, the same call is Foundation's method, which only removes
    /// classic observers. Tidings observers then end when their owner is deallocated.
    ///
    /// - Parameter observer: The object, or the result of `addObserver(forName:object:queue:using:)`.
    public func removeObserver(_ observer: AnyObject) {
        removeObserver(observer as Any)
        removeObservers(of: observer)
    }

    /// Removes observers of an object for a name and a sender: classic observers, and Tidings observers whose owner is
    /// the object. For a Tidings observer, `name` is the name of its notification type or descriptor. In a file that
    /// doesn't import TidingsFoundation, the same call is Foundation's method, which only removes classic observers.
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
