import Tidings

/// A center that shares its observers with all other centers.
final class SharingCenter: BrokenCenter, @unchecked Sendable {
    private static let shared = NativeNotificationCenter()

    required init(base: any TypedNotificationCenter) { super.init(base: Self.shared) }
}

/// A center that calls every observer twice.
final class RepeatingCenter: BrokenCenter, @unchecked Sendable {
    override func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        super.observe(type, sender: sender, registration: registration) { note in
            observer(note)
            observer(note)
        }
    }
}

/// A center that skips one call in seven.
final class SkippingCenter: BrokenCenter, @unchecked Sendable {
    private let calls = Atomic(0)

    override func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        super.observe(type, sender: sender, registration: registration) { [weak self] note in
            guard let self else { return }
            if !calls.wrappingAdd(1, ordering: .relaxed).newValue.isMultiple(of: 7) { observer(note) }
        }
    }
}

/// A center whose posts return one more than the number of observers they called.
final class MiscountingCenter: BrokenCenter, @unchecked Sendable {
    override func post<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        super.post(notification, from: place) + 1
    }
}

/// A center whose observers receive every notification that can be cast to their type.
final class CastingCenter: BrokenCenter, @unchecked Sendable {
    private let observers = Lock<[@Sendable (Any) -> Bool]>([])

    override func post<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        observers.withLock { $0 }.count { $0(notification) }
    }

    override func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        observers.withLock { observers in
            observers.append { notification in
                guard let notification = notification as? N else { return false }
                observer(notification)
                return true
            }
        }
        return super.observe(type, sender: sender, registration: registration, using: observer)
    }
}
