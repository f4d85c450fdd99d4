import Foundation

/// The relays in use: one for each center and name.
enum Relays {
    struct Key: Hashable {
        let center: ObjectIdentifier
        let name: Notification.Name
    }

    private struct Entry {
        weak let relay: Relay?
        let identity: ObjectIdentifier
        let receipt: Receipt
        var leases: Int
    }

    /// Foundation's receipt for a relay's block.
    private struct Receipt: @unchecked Sendable {  // nothing is done with it but to hand it back to Foundation
        #if canImport(ObjectiveC)
            // The center holds the receipt, and the receipt the block, which holds the relay.
            weak let value: (any NSObjectProtocol)?
        #else
            // The receipt is a number in an object; only whoever got it holds it.
            let value: (any NSObjectProtocol)?
        #endif
    }

    private static let entries = Lock<[Key: Entry]>([:])

    private struct WeakCenter {
        weak let center: NotificationCenter?
    }

    /// The default center is never freed, nor is what the runtime keeps for weak references to it. A leak checker only
    /// finds that while there is such a reference, so there is always one.
    private static let defaultCenter = WeakCenter(center: .default)

    /// The relay of a center and a name, with a lease that keeps it in use.
    static func lease(_ center: NotificationCenter, _ name: Notification.Name) -> (Relay, Lease) {
        let key = Key(center: ObjectIdentifier(center), name: name)
        _ = defaultCenter
        // What is found is let go after the lock: if that is the end of a relay, it calls `forget`.
        var found: Relay?
        let relay = entries.withLock { entries in
            found = entries[key]?.relay
            // A relay of another center can be found while a post outlives that center and the address is used again.
            if let found, found.center === center {
                entries[key]?.leases += 1
                return found
            }
            let relay = Relay(center: center, key: key)
            let receipt = center.addObserver(forName: name, object: nil, queue: nil) { relay.receive($0) }
            entries[key] = Entry(
                relay: relay, identity: ObjectIdentifier(relay), receipt: Receipt(value: receipt), leases: 1)
            return relay
        }
        return (relay, Lease(relay))
    }

    #if TSAN
        /// Tells the thread sanitizer that a relay was made before its center calls it. It does not know the center's own lock.
        static func synchronize() { entries.withLock { _ in } }
    #endif

    /// Ends a lease; the last one removes the relay's block from its center.
    static func end(_ relay: Relay) {
        let receipt: Receipt? = entries.withLock { entries in
            guard var entry = entries[relay.key], entry.identity == ObjectIdentifier(relay) else { return nil }
            entry.leases -= 1
            entries[relay.key] = entry.leases > 0 ? entry : nil
            return entry.leases > 0 ? nil : entry.receipt
        }
        // Once and no more: a number is used again, and removing it twice would remove somebody else's block.
        if let receipt = receipt?.value { relay.center?.removeObserver(receipt) }
    }

    /// Forgets a relay that is gone with its center.
    static func forget(_ relay: Relay) {
        entries.withLock { entries in
            if entries[relay.key]?.identity == ObjectIdentifier(relay) { entries[relay.key] = nil }
        }
    }
}
