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
    }

    private static let outers = Lock<[ObjectIdentifier: Outer]>([:])

    let posts: NativeNotificationCenter
    weak let outer: NotificationCenter?
    private let outerIdentity: ObjectIdentifier

    /// Makes a native center that serves one of Foundation's.
    ///
    /// - Parameter name: What its observers are registered for, if that is a name.
    init(of outer: NotificationCenter, name: Notification.Name? = nil) {
        posts = NativeNotificationCenter(name: name?.rawValue, monitoring: Self.monitoring(of: outer))
        self.outer = outer
        outerIdentity = ObjectIdentifier(outer)
        let reference = Reference(center: self, identity: ObjectIdentifier(self))
        Self.outers.withLock { $0[outerIdentity]?.inner.append(reference) }
        // One that was attached meanwhile has not met this center.
        posts.refreshMonitoring(nil)
    }

    deinit {
        let forgotten = Self.outers.withLock { outers in
            outers[outerIdentity]?.inner.removeAll { $0.identity == ObjectIdentifier(self) }
            return Self.takeUnused(outerIdentity, &outers)
        }
        _ = forgotten
    }

    /// The native centers that serve one of Foundation's, in the order in which they were made.
    static func all(of outer: NotificationCenter) -> [InnerCenter] {
        let references = outers.withLock { $0[ObjectIdentifier(outer)]?.inner ?? [] }
        // Another center may have had the address before, and a post may have outlived it.
        return references.compactMap(\.center).filter { $0.outer === outer }
    }

    /// The monitors of one of Foundation's centers.
    static func monitoring(of outer: NotificationCenter) -> Monitoring {
        // What is found is let go after the lock.
        var found: NotificationCenter?
        var replaced: Outer?
        let monitoring = outers.withLock { outers in
            let known = outers[ObjectIdentifier(outer)]
            found = known?.center
            if let known, found === outer { return known.monitoring }
            replaced = known
            let new = Outer(center: outer)
            outers[ObjectIdentifier(outer)] = new
            return new.monitoring
        }
        _ = (found, replaced)
        return monitoring
    }

    /// Forgets a center of Foundation's that has neither observers nor monitors.
    static func forgetUnused(_ outer: ObjectIdentifier) {
        let forgotten = outers.withLock { takeUnused(outer, &$0) }
        _ = forgotten
    }

    private static func takeUnused(_ outer: ObjectIdentifier, _ outers: inout [ObjectIdentifier: Outer]) -> Outer? {
        guard let known = outers[outer], known.inner.isEmpty, !known.monitoring.isActive else { return nil }
        return outers.removeValue(forKey: outer)
    }
}
