package import Foundation

/// What Tidings keeps for one of Foundation's centers: a forwarder for each name that is observed, the native centers that observe
/// its messages, and its monitors.
///
/// Foundation's center owns the forwarders, through the blocks that lead to them, and the forwarders own the registry; an attached
/// monitor owns it too. The registry refers to all of them weakly. So everything goes with Foundation's center.
///
/// Foundation holds a lock of its own while it adds a block, removes one, and releases the one that it removed. A block can hold
/// the last reference to a token, so an observation may end under that lock. Two rules exclude a deadlock:
///
/// - Foundation is never called while a lock of ours is held.
/// - The end of an observation never calls Foundation. A name's block stays when its last observer goes, and is removed by the
///   next post of the name, or when further names are observed. The caller uses the lock of that very center there anyway.
package final class CenterRegistry: Sendable {
    /// Foundation's receipt for a forwarder's block.
    struct Receipt: @unchecked Sendable {  // nothing is done with it but to hand it back to Foundation
        #if canImport(ObjectiveC)
            // The center holds the receipt, and the receipt the block, which holds the forwarder.
            weak let value: (any NSObjectProtocol)?
        #else
            // The receipt is a number in an object, which the center does not hold.
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
        let number: Int
    }

    struct State {
        var forwarders: [String: ForwarderEntry] = [:]
        var messages: [ObjectIdentifier: MessageEntry] = [:]
        var nextNumber = 0
        var sweepCount = 16
        var ended: [EndedObservation] = []
        /// The numbers of names and messages that are observed no more.
        var past = StatisticsSum()

        /// The native centers that are being finished.
        var finishing: [NativeNotificationCenter] = []

        /// The native centers that have the observers, in the order in which they were made.
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

        /// Makes an observer a member of the forwarder for a name, if there is one.
        func member(of name: String) -> (forwarder: NameForwarder, member: NameForwarder.Member)? {
            forwarders[name]?.forwarder.map { ($0, NameForwarder.Member(of: $0)) }
        }

        /// Takes out the forwarders without observers, each time that the number of forwarders may have doubled.
        mutating func sweep() -> [ForwarderEntry] {
            if forwarders.count < sweepCount { return [] }
            let idle = forwarders.filter { $0.value.members.isEmpty }
            for name in idle.keys { forwarders[name] = nil }
            sweepCount = max(16, 2 * forwarders.count)
            return Array(idle.values)
        }
    }

    /// Foundation's center.
    private let center: CenterReference

    /// The monitors of the center.
    let monitoring = Monitoring()

    private let identity: ObjectIdentifier
    let state = Lock(State())

    private init(of center: NotificationCenter) {
        self.center = CenterReference(center)
        identity = ObjectIdentifier(center)
    }

    deinit {
        Self.all.withLock { all in
            // The center's address may be another's by now, which has a registry of its own.
            if all[identity]?.monitoring === monitoring { all[identity] = nil }
        }
    }

    // MARK: The registries of all centers

    private struct Reference {
        weak let registry: CenterRegistry?
        /// The registry's own, by which it knows its entry. It holds it longer than the table does.
        let monitoring: Monitoring
    }

    private static let all = Lock<[ObjectIdentifier: Reference]>([:])

    /// The registry of a center, if there is one.
    static func find(_ center: NotificationCenter) -> CenterRegistry? {
        let found = all.withLock { $0[ObjectIdentifier(center)]?.registry }
        // The caller keeps its center alive. If another center had the address before, that one is gone.
        return found?.center.object == nil ? nil : found
    }

    /// The registry of a center, made if there is none.
    static func of(_ center: NotificationCenter) -> CenterRegistry {
        if let found = find(center) { return found }
        let made = CenterRegistry(of: center)
        // What another thread has made meanwhile, or what belongs to a center that had the address before. It is released after
        // the lock, which its `deinit` takes.
        var other: CenterRegistry?
        return all.withLock { all in
            other = all[made.identity]?.registry
            // The caller keeps its center alive, so this look at it never has the last reference.
            if let other, other.center.object != nil { return other }
            all[made.identity] = Reference(registry: made, monitoring: made.monitoring)
            return made
        }
    }

    // MARK: Forwarders

    /// How many names of a center have a block.
    package static func forwarderCount(of center: NotificationCenter) -> Int {
        find(center)?.state.withLock { $0.forwarders.count } ?? 0
    }

    /// Makes an observer a member of the forwarder for a name, and adds the forwarder's block to the center if it is the first.
    ///
    /// Two threads may both find no forwarder, and add a block each. The one that is second to note its forwarder becomes a member of the
    /// other's, and removes its own block, to which no observer belongs. So neither has to wait for the other.
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
        // A monitor that was attached meanwhile has not met this forwarder.
        made.observers.refreshMonitoring(nil)
        for entry in removed { remove(entry, from: center) }
        return known
    }

    /// Removes a forwarder and its block, unless an observer has come to it.
    func removeIfIdle(_ forwarder: NameForwarder) {
        let removed = state.withLock { state -> ForwarderEntry? in
            guard forwarder.members.isEmpty, state.forwarders[forwarder.name.rawValue]?.members === forwarder.members
            else {
                return nil
            }
            return state.forwarders.removeValue(forKey: forwarder.name.rawValue)
        }
        // The center is in the post that has called the forwarder.
        if let removed, let center = center.object { remove(removed, from: center) }
    }

    /// Removes a forwarder's block. The entry was taken out before, so that this happens once: Foundation gives the number in a
    /// receipt again, and to remove it twice would remove the block of another observer.
    func remove(_ entry: ForwarderEntry, from center: NotificationCenter) {
        // Foundation releases the block under its lock, and the forwarder shall not end there.
        let forwarder = entry.forwarder
        if let forwarder { keep(forwarder.observers) }
        if let receipt = entry.receipt.value { center.removeObserver(receipt) }
        withExtendedLifetime(forwarder) {}
    }

    #if TSAN
        /// Tells the thread sanitizer that a forwarder was made before its center calls it. It does not know the center's own lock.
        static func synchronize() { all.withLock { _ in } }
    #endif

    // MARK: Messages

    /// Notes a native center that observes messages.
    func insert(_ messages: NativeNotificationCenter) {
        state.withLock { state in
            let entry = MessageEntry(center: messages, number: state.makeNumber())
            state.messages[ObjectIdentifier(messages)] = entry
        }
        // A monitor that was attached meanwhile has not met it.
        messages.refreshMonitoring(nil)
    }

    /// Forgets a native center that observes messages.
    func remove(_ messages: NativeNotificationCenter) {
        state.withLock { $0.messages[ObjectIdentifier(messages)] = nil }
        keep(messages)
    }
}

/// A center that its registry does not keep alive.
private struct CenterReference: Sendable {
    #if canImport(ObjectiveC)
        /// The center; `nil` if it is gone.
        weak let object: NotificationCenter?
    #else
        // Unowned, which keeps the memory of a Swift object, so that no other center gets the address while the registry lives:
        // one that is found by its address is alive. A weak reference would leave a side table behind, to which only hidden bits
        // of the center lead: a leak checker reports it if the center lives when the process ends.
        private unowned let center: NotificationCenter

        /// The center, which the caller knows to be alive.
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
