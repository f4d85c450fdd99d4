import Foundation

/// A native center that has observers of Foundation's: those of one relay, or one of Foundation's own messages.
final class InnerCenter: Sendable {
    private struct Reference {
        weak let center: InnerCenter?
        let identity: ObjectIdentifier
    }

    /// The inner centers of each of Foundation's.
    private static let all = Lock<[ObjectIdentifier: [Reference]]>([:])

    let posts: NativeNotificationCenter
    weak let outer: NotificationCenter?
    private let outerIdentity: ObjectIdentifier

    /// Makes a native center that serves one of Foundation's.
    ///
    /// - Parameter name: What its observers are registered for, if that is a name.
    init(of outer: NotificationCenter, name: Notification.Name? = nil) {
        posts = NativeNotificationCenter(name: name?.rawValue)
        self.outer = outer
        outerIdentity = ObjectIdentifier(outer)
        let reference = Reference(center: self, identity: ObjectIdentifier(self))
        Self.all.withLock { $0[outerIdentity, default: []].append(reference) }
    }

    deinit {
        Self.all.withLock { all in
            all[outerIdentity]?.removeAll { $0.identity == ObjectIdentifier(self) }
            if all[outerIdentity]?.isEmpty == true { all[outerIdentity] = nil }
        }
    }

    /// The native centers that serve one of Foundation's, in the order in which they were made.
    static func all(of outer: NotificationCenter) -> [InnerCenter] {
        let references = all.withLock { $0[ObjectIdentifier(outer)] ?? [] }
        // Another center may have had the address before, and a post may have outlived it.
        return references.compactMap(\.center).filter { $0.outer === outer }
    }
}
