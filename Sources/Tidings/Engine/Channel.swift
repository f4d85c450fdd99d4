/// The observers of one notification type in one center: those of every sender, and an index of those of one sender.
final class Channel<N: TypedNotification>: AnyChannel, @unchecked Sendable {  // all state is under the lock
    private struct Slot: Sendable {
        let entry: Entry
        /// Kept in a struct: a bare closure read out of a generic container is wrapped in a thunk at each access.
        let call: @Sendable (N) -> Void
    }

    private struct State: @unchecked Sendable {  // only reached under the lock
        var everyone: [Slot] = []
        var bySender: [SenderIdentity.Key: [Slot]] = [:]
        var nextOrder = 0
        /// The observers that end with an owner or a sender.
        var mortal: [Entry] = []
    }

    private let state = Lock(State())

    func post(_ notification: N) -> Int {
        let (everyone, ofSender) = state.withLock { state -> ([Slot], [Slot]) in
            guard !state.bySender.isEmpty, let key = SenderIdentity(of: notification.sender).key else {
                return (state.everyone, [])
            }
            return (state.everyone, state.bySender[key] ?? [])
        }
        var calls = 0
        var next = ofSender.startIndex
        for slot in everyone {
            while next < ofSender.endIndex, ofSender[next].entry.order < slot.entry.order {
                calls += call(ofSender[next], notification)
                next += 1
            }
            calls += call(slot, notification)
        }
        while next < ofSender.endIndex {
            calls += call(ofSender[next], notification)
            next += 1
        }
        return calls
    }

    private func call(_ slot: Slot, _ notification: N) -> Int {
        guard slot.entry.beginCall() else { return 0 }
        slot.call(notification)
        slot.entry.endCall()
        return 1
    }

    func add(
        sender: N.Sender?, registration: Registration, call: @escaping @Sendable (N) -> Void
    ) -> NativeObservation {
        let identity = sender.map(SenderIdentity.init(of:)) ?? .none
        for entry in state.withLock({ $0.mortal.filter { !$0.isActive } }) { entry.cancel() }
        return state.withLock { state in
            let entry = Entry(order: state.nextOrder, channel: self, sender: identity, owner: registration.owner)
            state.nextOrder += 1
            if let key = identity.key {
                state.bySender[key, default: []].append(Slot(entry: entry, call: call))
            } else if case .none = identity {
                state.everyone.append(Slot(entry: entry, call: call))
            }
            if entry.isMortal { state.mortal.append(entry) }
            return NativeObservation(entry: entry)
        }
    }

    override func remove(_ entry: Entry) {
        // What is removed is released after the lock, as that may run a user's `deinit`.
        let removed: Slot? = state.withLock { state in
            state.mortal.removeAll { $0 === entry }
            guard let key = entry.key else { return Self.remove(entry, from: &state.everyone) }
            let slot = Self.remove(entry, from: &state.bySender[key, default: []])
            if state.bySender[key]?.isEmpty == true { state.bySender[key] = nil }
            return slot
        }
        _ = removed
    }

    private static func remove(_ entry: Entry, from slots: inout [Slot]) -> Slot? {
        slots.firstIndex { $0.entry === entry }.map { slots.remove(at: $0) }
    }

    override func cancelAll() {
        let all = state.withLock { state in state.everyone + state.bySender.values.joined() }
        for slot in all { slot.entry.cancel() }
    }
}

/// A channel of whatever notification type.
class AnyChannel: @unchecked Sendable {  // no state of its own
    let center: ObjectIdentifier

    init(center: ObjectIdentifier) { self.center = center }

    func remove(_ entry: Entry) {}
    func cancelAll() {}
}
