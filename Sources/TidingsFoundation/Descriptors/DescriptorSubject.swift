import Foundation

extension NotificationCenter {
    func observe<D: NotificationDescribing>(
        described descriptor: D, object: (any Sendable)?, registration: ObserverRegistration,
        using observer: @escaping @Sendable (D.Payload) -> Void
    ) -> any ObserverHandle {
        let observer = ContentObserver(observer)
        func observe<Plain: NotificationDescriptor>(plain descriptor: Plain) -> any ObserverHandle {
            self.observe(
                descriptor, SenderFilter(object: object), registration,
                using: observer.retyped(as: Plain.Payload.self).observer)
        }
        func observe<OfMainActor: MainActorNotificationDescriptor>(
            mainActor descriptor: OfMainActor
        ) -> any ObserverHandle {
            let sender = SenderFilter<Any?>(unchecked: object, .atRunTime, belongsToMainActor: true)
            return self.observe(
                descriptor, sender, registration, using: observer.retyped(as: OfMainActor.Payload.self).observer)
        }
        if let descriptor = descriptor as? any NotificationDescriptor { return observe(plain: descriptor) }
        if let descriptor = descriptor as? any MainActorNotificationDescriptor { return observe(mainActor: descriptor) }
        preconditionFailure("\(D.self) has to conform to NotificationDescriptor or MainActorNotificationDescriptor")
    }
}
