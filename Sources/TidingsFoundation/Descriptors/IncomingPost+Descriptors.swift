import Foundation

extension IncomingPost {
    /// Calls an observer with the payload that a descriptor finds, or reports why it finds none.
    func hand<D: NotificationDescriptor>(to observer: (D.Payload) -> Void, decoding descriptor: D) {
        do {
            observer(try descriptor.decode(notification))
        } catch {
            report(error)
        }
    }

    /// Calls an observer with the payload that a descriptor finds, or reports why it finds none.
    @MainActor
    func hand<D: MainActorNotificationDescriptor>(to observer: (D.Payload) -> Void, decoding descriptor: D) {
        do {
            observer(try descriptor.decode(notification))
        } catch {
            report(error)
        }
    }
}
