import Foundation

/// The state that Tidings keeps for one of Foundation's centers: a forwarder for each observed name, the native centers
/// that observe Foundation's typed messages, and the monitors. Foundation's center owns the forwarders, through their
/// blocks. Forwarders and attachments of monitors own the registry, which refers weakly to the forwarders.
///
/// Foundation holds a lock while it adds, removes or releases a block. A block can hold the last reference to a token,
/// so an observation may end under that lock. Two rules prevent a deadlock:
///
/// - Foundation is never called while a lock of Tidings is held.
/// - The end of an observation never calls Foundation. When the last observer of a name ends, the block stays until the
///   next post of the name, or until a sweep, which runs when the number of names has doubled.
final class CenterRegistry: Sendable {
    struct Receipt: @unchecked Sendable {  // Foundation accepts a receipt on any thread
        #if canImport(ObjectiveC)
            // Weak, to avoid a cycle: the receipt owns the block, which owns the forwarder, which owns this registry.
            weak let value: (any NSObjectProtocol)?
        #else
            // The receipt only contains a number. The center doesn't keep the receipt, so this reference is strong.
            let value: (any NSObjectProtocol)?
        #endif
    }

    struct ForwarderEntry {
        weak let forwarder: NameForwarder?
        let members: NameForwarder.Members
        let receipt: Receipt
        let number: Int
    }

    struct MessageEntry {
        weak let center: NativeNotificationCenter?
        /// Ends the observation if its owner or sender has been deallocated. Doesn't keep the center alive.
        let endIfDead: @Sendable () -> Void
        let number: Int
    }

    struct State {
        var forwarders: [String: ForwarderEntry] = [:]
        var messages: [ObjectIdentifier: MessageEntry] = [:]

        /// The keys of `messages` that ``CenterRegistry/endSomeDeadMessages()`` checks next.
        var unchecked: [ObjectIdentifier] = []
        var isChecking = false
        var nextNumber = 0
        var sweepCount = 16
        var ended: [EndedObservation] = []
        var past = StatisticsSum()

        /// The native centers that are being finished, each with the number of calls of `finish` that wait for it.
        var finishing: [(center: NativeNotificationCenter, calls: Int)] = []

        /// The native centers that `finish` has removed, and that `past` and `ended` don't include yet.
        var unkept: [NativeNotificationCenter] = []

        var nativeCenters: [NativeNotificationCenter] {
            let all =
                forwarders.values.map { (number: $0.number, center: $0.forwarder?.observers) }
                + messages.values.map { (number: $0.number, center: $0.center) }
            return all.sorted { $0.number < $1.number }.compactMap(\.center)
        }

        mutating func makeNumber() -> Int {
            nextNumber += 1
            return nextNumber
        }

        func member(of name: String) -> (forwarder: NameForwarder, member: NameForwarder.Member)? {
            forwarders[name]?.forwarder.map { ($0, NameForwarder.Member(of: $0)) }
        }

        mutating func sweep() -> [ForwarderEntry] {
            if forwarders.count < sweepCount { return [] }
            let idle = forwarders.filter { $0.value.members.isEmpty }
            for name in idle.keys { forwarders[name] = nil }
            sweepCount = max(16, 2 * forwarders.count)
            return Array(idle.values)
        }

        /// Returns the observations of messages to check: all of them if there are few. If there are more, consecutive
        /// checks rotate through them. Returns `nil` during another check.
        mutating func beginCheck() -> [@Sendable () -> Void]? {
            if isChecking { return nil }
            isChecking = true
            if unchecked.isEmpty || messages.count <= Self.mostChecked { unchecked = Array(messages.keys) }
            let keys = Array(unchecked.suffix(Self.mostChecked))
            unchecked.removeLast(keys.count)
            return keys.compactMap { messages[$0]?.endIfDead }
        }

        private static var mostChecked: Int { 256 }
    }

    private let center: CenterReference
    let monitoring = Monitoring()
    let identity: ObjectIdentifier
    let state = Lock(State())

    private init(of center: NotificationCenter) {
        self.center = CenterReference(center)
        identity = ObjectIdentifier(center)
    }

    deinit {
        Self.all.withLock { all in
            // By now, another center may have this address, and its registry may have replaced the entry.
            if all[identity]?.monitoring === monitoring { all[identity] = nil }
        }
    }

    private struct Reference {
        weak let registry: CenterRegistry?
        /// Identifies the entry in `deinit`, when `registry` is already `nil`.
        let monitoring: Monitoring
    }

    private static let all = Lock<[ObjectIdentifier: Reference]>([:])

    static func find(_ center: NotificationCenter) -> CenterRegistry? {
        let found = all.withLock { $0[ObjectIdentifier(center)]?.registry }
        // A registry whose center is gone isn't the caller's. It belongs to an earlier center at this address.
        return found?.center.object == nil ? nil : found
    }

    static func of(_ center: NotificationCenter) -> CenterRegistry {
        if let found = find(center) { return found }
        let made = CenterRegistry(of: center)
        // `other` is the registry that another thread has created in the meantime, or the registry of an earlier center
        // at this address. It is released after the unlock, because its `deinit` takes the lock.
        var other: CenterRegistry?
        return all.withLock { all in
            other = all[made.identity]?.registry
            // `other.center.object` is the caller's center or `nil`, so releasing it here never deallocates a center.
            if let other, other.center.object != nil { return other }
            all[made.identity] = Reference(registry: made, monitoring: made.monitoring)
            return made
        }
    }

    /// Returns the forwarder of a name, and a new member that counts one observer of the name. If two threads find no
    /// forwarder, each adds a block. The thread that takes the lock second then removes its own block.
    func enroll(in name: Notification.Name, of center: NotificationCenter) -> (
        forwarder: NameForwarder, member: NameForwarder.Member
    ) {
        if let known = state.withLock({ $0.member(of: name.rawValue) }) { return known }
        let made = NameForwarder(name: name, registry: self)
        #if TSAN
            Self.synchronize()
        #endif
        let receipt = Receipt(value: center.addObserver(forName: name, object: nil, queue: nil) { made.receive($0) })
        let (known, removed) = state.withLock {
            state -> ((forwarder: NameForwarder, member: NameForwarder.Member), [ForwarderEntry]) in
            let entry = ForwarderEntry(
                forwarder: made, members: made.members, receipt: receipt, number: state.makeNumber())
            if let known = state.member(of: name.rawValue) { return (known, [entry]) }
            let replaced = state.forwarders.updateValue(entry, forKey: name.rawValue)
            let known = (made, NameForwarder.Member(of: made))
            return (known, state.sweep() + [replaced].compactMap { $0 })
        }
        // A monitor may have been attached in the meantime.
        made.observers.refreshMonitoring(nil)
        for entry in removed { remove(entry, from: center) }
        return known
    }

    func forwarder(of name: Notification.Name) -> NameForwarder? {
        state.withLock { $0.forwarders[name.rawValue]?.forwarder }
    }

    func removeIfIdle(_ forwarder: NameForwarder) {
        let removed = state.withLock { state -> ForwarderEntry? in
            guard forwarder.members.isEmpty, state.forwarders[forwarder.name.rawValue]?.members === forwarder.members
            else {
                return nil
            }
            return state.forwarders.removeValue(forKey: forwarder.name.rawValue)
        }
        // The center is alive, because it is making the post that called the forwarder.
        if let removed, let center = center.object { remove(removed, from: center) }
    }

    /// Removes a forwarder's block. The caller must have removed the entry from the state: Foundation reuses the
    /// numbers in receipts, so removing a receipt twice could remove another observer's block.
    func remove(_ entry: ForwarderEntry, from center: NotificationCenter) {
        // Foundation releases the block under Foundation's lock, where the forwarder mustn't be deallocated.
        let forwarder = entry.forwarder
        if let forwarder { keep(forwarder.observers) }
        if let receipt = entry.receipt.value { center.removeObserver(receipt) }
        withExtendedLifetime(forwarder) {}
    }

    #if TSAN
        /// The thread sanitizer doesn't see the center's own lock. This lock shows the sanitizer that a forwarder was
        /// created before the center calls it.
        static func synchronize() { all.withLock { _ in } }
    #endif

    func insert(_ messages: NativeNotificationCenter, endIfDead: @escaping @Sendable () -> Void) {
        state.withLock { state in
            let entry = MessageEntry(center: messages, endIfDead: endIfDead, number: state.makeNumber())
            state.messages[ObjectIdentifier(messages)] = entry
        }
        // A monitor may have been attached in the meantime.
        messages.refreshMonitoring(nil)
    }

    func remove(_ messages: NativeNotificationCenter) {
        // The entry is released after the unlock.
        _ = state.withLock { $0.messages.removeValue(forKey: ObjectIdentifier(messages)) }
        keep(messages)
    }

    /// Ends observations of messages whose owner or sender has been deallocated. A deallocation causes no event, so
    /// each registration checks some observations. The end of an observation may run a user's `deinit`, so no lock is
    /// held. If the `deinit` registers an observer, no nested check follows. Otherwise nested checks could overflow the
    /// stack.
    func endSomeDeadMessages() {
        guard let checks = state.withLock({ $0.beginCheck() }) else { return }
        for endIfDead in checks { endIfDead() }
        state.withLock { $0.isChecking = false }
    }
}

private struct CenterReference: Sendable {
    #if canImport(ObjectiveC)
        weak let object: NotificationCenter?
    #else
        // An unowned reference keeps the memory of a Swift object allocated, so no other center gets this address while
        // the registry exists. So a registry that is found by address belongs to the caller's center, which is alive. A
        // weak reference would leave a side table, which a leak checker would report.
        private unowned let center: NotificationCenter

        /// Must be read only while the center is alive.
        var object: NotificationCenter? { center }
    #endif

    init(_ center: NotificationCenter) {
        #if canImport(ObjectiveC)
            object = center
        #else
            self.center = center
        #endif
    }
}
