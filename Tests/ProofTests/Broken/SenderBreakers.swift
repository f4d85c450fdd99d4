import Foundation
import Tidings
import TidingsConformance

/// A center that retains senders.
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

/// A center that distinguishes senders by their address alone.
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

/// A center that compares `Hashable` objects by equality instead of identity.
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

/// A center whose observers receive notifications of every sender.
final class DeafCenter: BrokenCenter, @unchecked Sendable {
    override func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        super.observe(type, sender: .everyone, registration: registration, using: observer)
    }
}

/// A center in which an observer that isn't limited to a sender receives only posts without a sender.
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

/// A center in which a sender doesn't match if only the post, or only the registration, is on the main actor.
final class HomeboundCenter: BrokenCenter, @unchecked Sendable {
    override func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        let (isLimited, isAtHome) = (sender.isLimited, isOnMainActor())
        return super.observe(type, sender: sender, registration: registration) { note in
            if !isLimited || isAtHome == isOnMainActor() { observer(note) }
        }
    }
}

/// A center that checks on another thread whether a sender is `Hashable`. A sender that isn't `Hashable` there never
/// matches.
final class OutsideCenter: BrokenCenter, @unchecked Sendable {
    override func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        let base = super.observe(type, sender: sender, registration: registration, using: observer)
        if sender.isLimited, !isHashable(Unchecked(value: sender.sender)) { base.cancel() }
        return base
    }

    private func isHashable(_ sender: Unchecked<some Any>) -> Bool {
        let (isHashable, isOver) = (Gate(), Gate())
        Thread.detachNewThread {
            if sender.value is any Hashable { isHashable.open() }
            isOver.open()
        }
        isOver.wait(patience: .seconds(60))
        return isHashable.isOpen
    }
}

/// A center in which every registration compares the senders of other registrations, even senders that belong to the
/// main actor.
final class ComparingCenter: BrokenCenter, @unchecked Sendable {
    private let filters = Lock<[@Sendable () -> Bool]>([])

    override func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        for accepts in filters.withLock({ $0.suffix(16) }) { _ = accepts() }
        if sender.isLimited {
            filters.withLock { $0.append { sender.sender.map { sender.accepts($0) } ?? false } }
        }
        return super.observe(type, sender: sender, registration: registration, using: observer)
    }
}

/// A center in which a registration for all senders retains the senders of other registrations until the next
/// registration for all senders.
final class GraspingCenter: BrokenCenter, @unchecked Sendable {
    private let senders = Lock<[@Sendable () -> any Sendable]>([])
    private let held = Lock<[any Sendable]>([])

    override func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        if sender.isLimited {
            senders.withLock { $0.append { Unchecked(value: sender.sender) } }
        } else {
            let found = senders.withLock { $0.suffix(16) }.map { $0() }
            // The previously retained senders are released after the unlock.
            _ = held.withLock { held in
                defer { held = found }
                return held
            }
        }
        return super.observe(type, sender: sender, registration: registration, using: observer)
    }
}
