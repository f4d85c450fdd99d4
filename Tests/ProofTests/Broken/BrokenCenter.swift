import Tidings

/// A center that passes everything on to a good one. Its subclasses break a promise on the way, to test the tests of promises.
class BrokenCenter: TypedNotificationCenter, @unchecked Sendable {  // what subclasses add is locked
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

/// An observation on its way from a good center, with other ways to end.
struct BrokenObservation: ObserverHandle {
    let base: any ObserverHandle
    var cancelling: (@Sendable () -> Void)?
    var draining: (@Sendable () async -> Void)?
    var staysActive = false
    /// What the observation keeps alive.
    var kept: (any Sendable)?

    var center: ObjectIdentifier? { base.center }
    var isActive: Bool { staysActive || base.isActive }
    func cancel() { if let cancelling { cancelling() } else { base.cancel() } }
    func drain() async { if let draining { await draining() } else { await base.drain() } }
}

/// A value that is not `Sendable`, in a test that knows better.
struct Unchecked<Value>: @unchecked Sendable {  // tests of tests use it on one thread
    let value: Value
}
