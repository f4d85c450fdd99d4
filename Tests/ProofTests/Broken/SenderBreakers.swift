import Tidings

/// Senders are held strongly.
final class RetainingCenter: BrokenCenter, @unchecked Sendable {
    private let senders = Lock<[any Sendable]>([])

    override func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        let unchecked = Unchecked(value: sender.sender)
        senders.withLock { $0.append(unchecked) }
        return super.observe(type, sender: sender, registration: registration, using: observer)
    }
}

/// Senders are told apart by their address alone.
final class AddressingCenter: BrokenCenter, @unchecked Sendable {
    override func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        guard let address = address(of: sender.sender) else {
            return super.observe(type, sender: sender, registration: registration, using: observer)
        }
        return super.observe(type, sender: .everyone, registration: registration) { note in
            if address == self.address(of: note.sender) { observer(note) }
        }
    }

    private func address(of sender: Any?) -> ObjectIdentifier? {
        guard let sender, type(of: sender) is AnyObject.Type else { return nil }
        return ObjectIdentifier(sender as AnyObject)
    }
}

/// Objects that are `Hashable` are told apart by equality.
final class EquatingCenter: BrokenCenter, @unchecked Sendable {
    override func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        guard let hashable = sender.sender as? any Hashable else {
            return super.observe(type, sender: sender, registration: registration, using: observer)
        }
        let key = Unchecked(value: AnyHashable(hashable))
        return super.observe(type, sender: .everyone, registration: registration) { note in
            if (note.sender as? any Hashable).map({ AnyHashable($0) }) == key.value { observer(note) }
        }
    }
}

/// Observers hear every sender.
final class DeafCenter: BrokenCenter, @unchecked Sendable {
    override func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        super.observe(type, sender: .everyone, registration: registration, using: observer)
    }
}

/// Observers of no sender hear only posts from none.
final class LiteralCenter: BrokenCenter, @unchecked Sendable {
    override func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        let hearsAll = sender.isLimited || N.Sender.self == Void.self
        return super.observe(type, sender: sender, registration: registration) { note in
            if hearsAll || "\(note.sender)" == "nil" { observer(note) }
        }
    }
}
