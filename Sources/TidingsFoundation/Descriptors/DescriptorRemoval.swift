public import Foundation

extension NotificationCenter {
    /// Ends an owner's observations of a descriptor. Observations of types with the same name aren't affected.
    ///
    /// Observers that ended when the center was finished keep their queues. While `finish` waits for these observers,
    /// `removeObservers(of:)` discards the queues.
    ///
    /// - Parameters:
    ///   - owner: The owner. It can register observers again afterwards.
    ///   - descriptor: The descriptor.
    ///   - object: Ends only observations that are limited to this sender; `nil` ends all.
    public func removeObservers(of owner: AnyObject, descriptor: some NotificationDescribing, object: Any? = nil) {
        let limit = SenderFilter<Any?>(unchecked: object, .atRunTime)
        for owned in observers(of: owner) where owned.type == nil && owned.subject.name == descriptor.name.rawValue {
            if owned.isLimited(to: limit) { owned.cancel() }
        }
    }
}
