public import Foundation

// The calls by which classic code removes an object's observers. They take the place of Foundation's in a file that imports this
// module, and end what the object observes through Tidings as well, so that a class can be converted observer by observer.

extension NotificationCenter {
    /// Removes all observers of an object: the classic ones, and those through Tidings that are tied to it as their owner.
    ///
    /// A file that does not import TidingsFoundation calls Foundation's own method, which leaves the observers through Tidings. They end
    /// with their owner.
    ///
    /// - Parameter observer: The object; or what `addObserver(forName:object:queue:using:)` has returned.
    public func removeObserver(_ observer: AnyObject) {
        removeObserver(observer as Any)
        removeObservers(of: observer)
    }

    /// Removes observers of an object for a name and a sender: the classic ones, and those through Tidings that are tied to it as their
    /// owner.
    ///
    /// The name is that of a notification type or a descriptor. A file that does not import TidingsFoundation calls Foundation's own
    /// method, which leaves the observers through Tidings.
    ///
    /// - Parameters:
    ///   - observer: The object.
    ///   - name: The name; `nil` for every name.
    ///   - object: The sender to which the observers are limited that are removed; `nil` for all.
    public func removeObserver(_ observer: AnyObject, name: Notification.Name?, object: Any?) {
        removeObserver(observer as Any, name: name, object: object)
        let limit = SenderFilter<Any?>(unchecked: object, .atRunTime)
        for owned in observers(of: observer) where name == nil || owned.subject.name == name?.rawValue {
            if owned.isLimited(to: limit) { owned.cancel() }
        }
    }
}
