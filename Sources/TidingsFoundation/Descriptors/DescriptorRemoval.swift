public import Foundation

extension NotificationCenter {
    /// Ends the observations with a descriptor that are tied to an owner; those of notification types with the same name stay.
    ///
    /// - Parameters:
    ///   - owner: The owner, which need not be dying: it can observe again.
    ///   - descriptor: The descriptor.
    ///   - object: The sender to which the observations are limited that end; `nil` ends all.
    public func removeObservers(of owner: AnyObject, descriptor: some NotificationDescribing, object: Any? = nil) {
        let limit = SenderFilter<Any?>(unchecked: object, .atRunTime)
        for owned in observers(of: owner) where owned.type == nil && owned.subject.name == descriptor.name.rawValue {
            if owned.isLimited(to: limit) { owned.cancel() }
        }
    }
}
