import Foundation

/// A native center that has observers of Foundation's: those of one relay, or one of Foundation's own messages.
final class InnerCenter: Sendable {
    private struct Reference {
        weak let center: InnerCenter?
        let identity: ObjectIdentifier
    }

    /// What is known about a center of Foundation's that has observers or monitors.
    private struct Outer {
        weak let center: NotificationCenter?
        let monitoring = Monitoring()
        var inner: [Reference] = []

        /// How many are about to add something.
        var users = 0

        var isUnused: Bool { inner.isEmpty && users == 0 && !monitoring.isActive }
    }

    private static let outers = Lock<[ObjectIdentifier: Outer]>([:])

    let posts: NativeNotificationCenter
    weak let outer: NotificationCenter?
    private let outerIdentity: ObjectIdentifier

    /// Makes a native center that serves one of Foundation's, for a name or for types.
    init(of outer: NotificationCenter, name: Notification.Name? = nil) {
        posts = NativeNotificationCenter(name: name?.rawValue, monitoring: Self.beginUse(of: outer))
        self.outer = outer
        outerIdentity = ObjectIdentifier(outer)
        let reference = Reference(center: self, identity: ObjectIdentifier(self))
        Self.outers.withLock { $0[outerIdentity]?.inner.append(reference) }
        Self.endUse(of: outerIdentity)
        // A monitor that was attached meanwhile has not met this center.
        posts.refreshMonitoring(nil)
    }

    deinit {
        Self.outers.withLock { outers in
            outers[outerIdentity]?.inner.removeAll { $0.identity == ObjectIdentifier(self) }
        }
        Self.forgetUnused(outerIdentity)
    }

    /// The native centers that serve one of Foundation's, in the order in which they were made.
    static func all(of outer: NotificationCenter) -> [InnerCenter] {
        let references = outers.withLock { $0[ObjectIdentifier(outer)]?.inner ?? [] }
        // Another center may have had the address before, and a post may have outlived it.
        return references.compactMap(\.center).filter { $0.outer === outer }
    }

    /// The monitors of one of Foundation's centers, if it has anything.
    static func monitoring(of outer: NotificationCenter) -> Monitoring? {
        let known = outers.withLock { $0[ObjectIdentifier(outer)] }
        return known?.center === outer ? known?.monitoring : nil
    }

    /// The monitors of one of Foundation's centers, which is known until ``endUse(of:)`` at least.
    static func beginUse(of outer: NotificationCenter) -> Monitoring {
        // What is found is let go after the lock.
        var found: NotificationCenter?
        var replaced: Outer?
        let monitoring = outers.withLock { outers in
            var known = outers[ObjectIdentifier(outer)]
            found = known?.center
            // Another center may have had the address before.
            if found !== outer {
                replaced = known
                known = nil
            }
            var used = known ?? Outer(center: outer)
            used.users += 1
            outers[ObjectIdentifier(outer)] = used
            return used.monitoring
        }
        _ = (found, replaced)
        return monitoring
    }

    static func endUse(of outer: ObjectIdentifier) {
        outers.withLock { $0[outer]?.users -= 1 }
        forgetUnused(outer)
    }

    /// Forgets a center of Foundation's that has neither observers nor monitors.
    static func forgetUnused(_ outer: ObjectIdentifier) {
        let forgotten = outers.withLock { outers in
            outers[outer]?.isUnused == true ? outers.removeValue(forKey: outer) : nil
        }
        _ = forgotten
    }
}
