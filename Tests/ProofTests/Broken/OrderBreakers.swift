import Tidings

/// A center in which every second observer of a type swaps places with the previous one.
final class SwappingCenter: BrokenCenter, @unchecked Sendable {
    private final class Place<N>: Sendable {
        let observer: Lock<@Sendable (N) -> Void>
        init(_ observer: @escaping @Sendable (N) -> Void) { self.observer = Lock(observer) }
    }

    private let waiting = Lock<[ObjectIdentifier: any Sendable]>([:])

    override func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        let place = Place(observer)
        let previous = waiting.withLock { waiting -> Place<N>? in
            let previous = waiting.removeValue(forKey: ObjectIdentifier(type)) as? Place<N>
            if previous == nil { waiting[ObjectIdentifier(type)] = place }
            return previous
        }
        if let previous {
            let earlier = previous.observer.withLock { $0 }
            previous.observer.withLock { $0 = observer }
            place.observer.withLock { $0 = earlier }
        }
        return super.observe(type, sender: sender, registration: registration) { note in
            place.observer.withLock { $0 }(note)
        }
    }
}

/// A center in which every second post overtakes the previous one.
final class ShufflingCenter: BrokenCenter, @unchecked Sendable {
    private let waiting = Lock<(@Sendable () -> Void)?>(nil)

    override func post<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        let unchecked = Unchecked(value: notification)
        let earlier = waiting.withLock { waiting in
            let earlier = waiting.take()
            if earlier == nil { waiting = { [base] in _ = base.post(unchecked.value, from: place) } }
            return earlier
        }
        guard let earlier else { return 0 }
        defer { earlier() }
        return super.post(notification, from: place)
    }
}
