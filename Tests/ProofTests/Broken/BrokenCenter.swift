import Tidings

/// A center that forwards to a correct center. Each subclass breaks a promise, and the tests must detect this.
class BrokenCenter: TypedNotificationCenter, @unchecked Sendable {  // subclasses protect their state with locks
    let base: any TypedNotificationCenter

    required init(base: any TypedNotificationCenter = NativeNotificationCenter()) { self.base = base }

    var underlyingCenter: (any TypedNotificationCenter)? { base }

    func post<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        base.post(notification, from: place)
    }

    func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        base.observe(type, sender: sender, registration: registration, using: observer)
    }

    func removeObservers(of owner: AnyObject) { base.removeObservers(of: owner) }
}

/// An observation of a correct center, with some broken operations.
struct BrokenObservation: ObserverHandle {
    let base: any ObserverHandle
    var cancelling: (@Sendable () -> Void)?
    var draining: (@Sendable () async -> Void)?
    var staysActive = false
    var kept: (any Sendable)?

    var center: ObjectIdentifier? { base.center }
    var isActive: Bool { staysActive || base.isActive }
    func cancel() { if let cancelling { cancelling() } else { base.cancel() } }
    func drain() async { if let draining { await draining() } else { await base.drain() } }
}

struct Unchecked<Value>: @unchecked Sendable {  // the tests use the value on one thread at a time
    let value: Value
}
