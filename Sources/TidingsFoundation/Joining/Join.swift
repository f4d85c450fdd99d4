import Foundation

/// A pair of observers: one of a native center, and one of Foundation's center. Each forwards notifications to the
/// other center, and ends when the other center is deallocated.
struct Join: Sendable {
    private weak let native: NativeNotificationCenter?
    private weak let foundation: NotificationCenter?
    private let identity: ObjectIdentifier
    private let direction: JoiningDirection
    private let registration: ObserverRegistration
    private let there: Ownership
    private let here: Ownership

    init(
        _ native: NativeNotificationCenter, _ foundation: NotificationCenter, _ direction: JoiningDirection,
        _ delivery: DeliveryMode, fileID: StaticString, line: UInt
    ) {
        self.native = native
        self.foundation = foundation
        self.direction = direction
        identity = ObjectIdentifier(native)
        registration = ObserverRegistration(fileID: fileID, line: line, delivery: delivery)
        there = Ownership(foundation)
        here = Ownership(native)
    }

    func toFoundation<N: TypedNotification>(_ type: N.Type) -> (any ObserverHandle)? {
        if direction == .fromFoundation { return nil }
        // Notifications from before the join aren't forwarded.
        let registration = registration.owned(by: there.owner).withoutReplay
        let observation = native?.observe(type, sender: .everyone, registration: registration) { notification in
            guard let foundation else { return there.end() }
            // The place of the original post isn't known here, so the place of the call of `join` is passed.
            _ = foundation.post(notification, from: registration.place, visited: identity)
        }
        if let observation { there.ends(observation) }
        return observation
    }

    func fromFoundation(_ observe: (ObserverRegistration) -> any NumberedObservation) -> (any ObserverHandle)? {
        if direction == .toFoundation { return nil }
        let observation = observe(registration.owned(by: here.owner))
        here.ends(observation)
        return observation
    }

    /// Posts a forwarded notification on the native center. Omits the observer that would forward it back.
    func receive<N: TypedNotification>(_ type: N.Type, _ post: IncomingPost, except there: (any ObserverHandle)?) {
        guard let native else { return here.end() }
        if post.visited == identity { return }
        post.hand { (notification: N) in
            let place = post.place.isKnown ? post.place : registration.place
            _ =
                there.map { native.post(notification, except: $0, from: place) }
                ?? native.post(notification, from: place)
        }
    }
}

extension ObserverRegistration {
    fileprivate func owned(by owner: ObserverOwner) -> ObserverRegistration {
        ObserverRegistration(fileID: fileID, line: line, delivery: delivery, owner: owner)
    }
}

struct JoinObservation: ObserverHandle {
    let parts: [any ObserverHandle]

    private var all: CombinedObservation { CombinedObservation(of: parts) }

    var center: ObjectIdentifier? { all.center }
    var isActive: Bool { parts.allSatisfy(\.isActive) }

    func cancel() { all.cancel() }
    func end(_ reason: ObservationEndReason) { all.end(reason) }
    func drain() async { await all.drain() }
}
