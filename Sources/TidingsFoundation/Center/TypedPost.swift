import Foundation

#if canImport(AppleFoundationStub)
    import AppleFoundationStub
#endif

/// A typed notification on its way through Foundation's center, in the `userInfo` of the notification that carries it.
///
/// This is its way out, to Foundation's center. ``IncomingPost`` finds it again.
class TypedPost {
    /// The key under which `userInfo` holds the post.
    static let key = "tidings.typed-notification"

    /// A `userInfo` that holds nothing but a post. In a copy, the post is put in without computing the key's hash again.
    nonisolated(unsafe) private static let template: [AnyHashable: Any] = [key: ()]  // it never changes

    // Atomic, as a classic observer may hand the notification on to other threads.
    private let registrations: Atomic<Int>

    /// How many observers were called.
    final let calls = Atomic<Int>(0)

    /// The native center where the notification was posted before, if it comes from one.
    final let visited: ObjectIdentifier?

    /// Where the source posts it.
    final let place: SourcePlace

    /// What is known about its type.
    final let traits: NotificationTraits

    fileprivate init(_ traits: NotificationTraits, from place: SourcePlace, visited: ObjectIdentifier?) {
        registrations = Atomic(NameForwarder.Member.count)
        self.traits = traits
        self.place = place
        self.visited = visited
    }

    /// How many observers were registered, ever, when the post began.
    final var horizon: Int { registrations.load(ordering: .relaxed) }

    /// The type as which the notification was posted.
    var type: Any.Type { preconditionFailure("a post is of a type") }

    /// The notification's own sender.
    var sender: Any? { preconditionFailure("a post is of a type") }

    /// Makes the post.
    ///
    /// - Parameters:
    ///   - center: Foundation's center.
    ///   - carrier: The notification that carries it.
    /// - Returns: How many observers were called.
    final func make(on center: NotificationCenter, in carrier: Notification) -> Int {
        var carrier = carrier
        #if os(macOS) || canImport(AppleFoundationStub)
            // Where the static type does not tell: what leaves the program is a property list, and no object of it.
            if center is DistributedNotificationCenter {
                center.post(carrier)
                return 0
            }
        #endif
        if carrier.userInfo == nil {
            var userInfo = unsafe TypedPost.template
            userInfo.values[userInfo.startIndex] = self
            carrier.userInfo = userInfo
        } else {
            carrier.userInfo?[TypedPost.key] = self
        }
        center.post(carrier)
        // A classic observer may have kept the notification and post it again: that post reaches later observers too.
        registrations.store(.max, ordering: .relaxed)
        return calls.load(ordering: .relaxed)
    }
}

/// A typed post of a notification type: observers find the value by the type as which it was posted.
final class TypedPostOf<N: TypedNotification>: TypedPost {
    let value: N

    init(_ value: N, _ traits: NotificationTraits, from place: SourcePlace, visited: ObjectIdentifier?) {
        self.value = value
        super.init(traits, from: place, visited: visited)
    }

    override var type: Any.Type { N.self }
    override var sender: Any? { value.sender }

    /// The Foundation notification that carries this one to classic observers.
    func carrier(reportingTo center: NotificationCenter) -> Notification {
        let name = traits.name(of: value)
        do {
            if traits.isBridged, let bridged = value as? any BridgedNotification {
                var carrier = try bridged.bridged()
                if traits.isFamily { carrier.name = name }
                return carrier
            }
        } catch {
            NotificationReport(unencodable: error).send(to: CenterRegistry.find(center)?.monitoring)
        }
        return Notification(name: name, object: foundationObject(of: value.sender))
    }
}
